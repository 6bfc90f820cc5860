"""Where submissions run.

`host` is the trusted side, `inside` is all that the sandbox sees of it, `probes` try to break out.
"""
