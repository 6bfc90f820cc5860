"""System calls that a submission may make: those of Python and the scientific stack, and no others.

Not among them: flock, since a lock on a file that all may read is a message to the next submission.
Measured: `tests/attacks/calls.py` runs the homeworks and prints what was refused. Names that a processor does
not have are passed over.
"""

GROUPS = {
    "memory": """
        brk mmap mmap2 munmap mremap mprotect madvise msync mincore mlock munlock membarrier mbind
        get_mempolicy set_mempolicy
    """,
    "files and folders": """
        open openat openat2 creat close close_range read readv pread64 preadv preadv2 write writev
        pwrite64 pwritev pwritev2 lseek _llseek stat fstat lstat newfstatat fstatat64 statx statfs
        fstatfs access faccessat faccessat2 readlink readlinkat getdents getdents64 mkdir mkdirat
        rmdir rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat truncate
        ftruncate fallocate fadvise64 fsync fdatasync fcntl sync_file_range copy_file_range
        sendfile splice chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes
        utimensat futimesat umask getcwd chdir fchdir dup dup2 dup3 pipe pipe2 ioctl readahead
        getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
    """,
    "waiting": """
        select pselect6 poll ppoll epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
        epoll_pwait2 eventfd eventfd2 timerfd_create timerfd_settime timerfd_gettime signalfd
        signalfd4 pause nanosleep clock_nanosleep futex futex_waitv futex_wake futex_wait
        futex_requeue get_robust_list set_robust_list rseq restart_syscall sched_yield inotify_init
        inotify_init1 inotify_add_watch inotify_rm_watch
    """,
    "sockets of one kind only, see isolation.py": """
        socket socketpair bind connect listen accept accept4 getsockname getpeername getsockopt
        setsockopt sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg shutdown
    """,
    "processes and threads, of its own": """
        clone fork vfork execve execveat exit exit_group wait4 waitid set_tid_address gettid getpid
        getppid kill tkill tgkill rt_sigaction rt_sigprocmask rt_sigreturn sigreturn rt_sigpending
        rt_sigsuspend rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack alarm getitimer
        setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete setsid
        getsid setpgid getpgid getpgrp pidfd_open pidfd_send_signal arch_prctl prctl
        sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler sched_get_priority_max
        sched_get_priority_min getpriority setpriority getcpu
    """,
    "who, when, how much": """
        getuid geteuid getgid getegid getresuid getresgid getgroups capget getrlimit setrlimit
        prlimit64 getrusage times sysinfo uname time gettimeofday clock_gettime clock_getres
        getrandom
    """,
}
ALLOWED = frozenset(" ".join(GROUPS.values()).split())
