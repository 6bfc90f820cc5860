#!/bin/sh
# Build the site and push it to the branch gh-pages of "origin", as the only commit there.
# Nothing happens while docs/site.toml names no repository.
set -eu
cd "$(dirname "$0")/.."
if ! grep -Eq '^repository = "https://' docs/site.toml; then
    echo "docs/site.toml names no repository: nothing is published. See docs/publish.md."
    exit 0
fi
pip install uv
uv run python tools/build_site.py --out _build/site
test -e _build/site/.nojekyll               # without it GitHub leaves out what begins with an underscore

# An index of its own: neither the branch that is checked out nor its files change.
export GIT_INDEX_FILE="$PWD/_build/site.index"
rm -f "$GIT_INDEX_FILE"
git --work-tree=_build/site add --all --force .
commit=$(git -c user.name=site -c user.email=site@localhost commit-tree "$(git write-tree)" \
    -m "The site of $(git rev-parse HEAD)")
git push --force origin "$commit:refs/heads/gh-pages"
