#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

// libseccomp would be one more library in each process, the one with the keys included. This filter compares the numbers of
// calls and a few arguments, and needs no compiler of rules.

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

// Programs ask for later calls and expect "not implemented" from an older kernel, then do without.
#define LAST_KNOWN 451

#define NUMBER(name) __NR_##name

// TCGETS2, for which the C library has no structure: how later ones ask whether something is a terminal.
#define GET_TERMINAL 0x802c542a

// Allowed as they are: what systemd's @system-service allows without @privileged and @resources, less what starts
// programs, reads other processes, changes the user or uses io_uring and the kernel's keyrings. The most frequent ones
// come first: kernels before 5.11 look through the lists at each call.

// Of the daemon alone.
static const uint16_t frequent[] = {
    NUMBER(accept4), NUMBER(setsockopt), NUMBER(sendmsg), NUMBER(writev), NUMBER(fdatasync),
};

// Of all processes: those that sign need no others. Memory, time, threads, signals to itself, events and sockets that are
// open already.
static const uint16_t signing[] = {
    NUMBER(read), NUMBER(write), NUMBER(futex), NUMBER(epoll_pwait), NUMBER(recvfrom), NUMBER(sendto),
    NUMBER(close), NUMBER(epoll_ctl), NUMBER(munmap), NUMBER(madvise), NUMBER(ppoll), NUMBER(clock_gettime),
    NUMBER(brk), NUMBER(mremap), NUMBER(mlock), NUMBER(munlock), NUMBER(membarrier), NUMBER(clock_getres),
    NUMBER(clock_nanosleep), NUMBER(gettimeofday), NUMBER(nanosleep), NUMBER(timerfd_create),
    NUMBER(timerfd_gettime), NUMBER(timerfd_settime), NUMBER(exit), NUMBER(exit_group), NUMBER(get_robust_list),
    NUMBER(set_robust_list), NUMBER(set_tid_address), NUMBER(restart_syscall), NUMBER(rseq), NUMBER(sched_yield),
    NUMBER(sched_getaffinity), NUMBER(sched_getparam), NUMBER(sched_getscheduler), NUMBER(sched_get_priority_max),
    NUMBER(sched_get_priority_min), NUMBER(getcpu), NUMBER(getrusage), NUMBER(getpid), NUMBER(gettid),
    NUMBER(uname), NUMBER(sysinfo), NUMBER(getrandom), NUMBER(rt_sigaction), NUMBER(rt_sigprocmask),
    NUMBER(rt_sigreturn), NUMBER(sigaltstack), NUMBER(epoll_create1), NUMBER(epoll_pwait2), NUMBER(eventfd2),
    NUMBER(shutdown),
#ifdef __x86_64__
    NUMBER(epoll_wait), NUMBER(poll), NUMBER(time), NUMBER(arch_prctl),
#endif
};

// Of the daemon, and of the processes that start those that sign and load their keys: files, sockets with descriptors, the
// process itself, and more limits for threads.
static const uint16_t reading[] = {
    NUMBER(recvmsg), NUMBER(getsockopt), NUMBER(close_range), NUMBER(dup), NUMBER(fcntl), NUMBER(lseek),
    NUMBER(pread64), NUMBER(preadv), NUMBER(readv), NUMBER(fadvise64), NUMBER(readahead), NUMBER(fstat),
    NUMBER(newfstatat), NUMBER(statx), NUMBER(fstatfs), NUMBER(statfs), NUMBER(faccessat), NUMBER(faccessat2),
    NUMBER(readlinkat), NUMBER(getdents64), NUMBER(getcwd), NUMBER(mincore), NUMBER(mlock2), NUMBER(get_mempolicy),
    NUMBER(getppid), NUMBER(getuid), NUMBER(geteuid), NUMBER(getgid), NUMBER(getegid), NUMBER(getgroups),
    NUMBER(getresuid), NUMBER(getresgid), NUMBER(lgetxattr), NUMBER(capget), NUMBER(seccomp), NUMBER(landlock_create_ruleset),
    NUMBER(landlock_add_rule), NUMBER(landlock_restrict_self), NUMBER(wait4),
#ifdef __x86_64__
    NUMBER(stat), NUMBER(lstat), NUMBER(access), NUMBER(readlink), NUMBER(getdents), NUMBER(getrlimit),
#endif
};

// Of the daemon alone: all other files, which Landlock limits, sockets and signals.
static const uint16_t serving[] = {
    NUMBER(msync), NUMBER(mlockall), NUMBER(munlockall), NUMBER(times), NUMBER(getitimer),
    NUMBER(setitimer), NUMBER(timer_create), NUMBER(timer_delete), NUMBER(timer_getoverrun), NUMBER(timer_gettime),
    NUMBER(timer_settime), NUMBER(futex_waitv), NUMBER(sched_getattr), NUMBER(sched_rr_get_interval),
    NUMBER(getpriority), NUMBER(ioprio_get), NUMBER(getpgid), NUMBER(getsid), NUMBER(umask), NUMBER(setsid),
    NUMBER(setpgid), NUMBER(waitid), NUMBER(kill), NUMBER(tkill), NUMBER(tgkill), NUMBER(pidfd_open),
    NUMBER(pidfd_send_signal), NUMBER(rt_sigpending), NUMBER(rt_sigqueueinfo), NUMBER(rt_sigsuspend),
    NUMBER(rt_sigtimedwait), NUMBER(rt_tgsigqueueinfo), NUMBER(signalfd4),
    NUMBER(dup3), NUMBER(flock), NUMBER(preadv2), NUMBER(pwrite64), NUMBER(pwritev), NUMBER(pwritev2),
    NUMBER(fsync), NUMBER(sync_file_range), NUMBER(syncfs), NUMBER(fallocate), NUMBER(ftruncate),
    NUMBER(chdir), NUMBER(fchdir), NUMBER(linkat), NUMBER(symlinkat), NUMBER(unlinkat), NUMBER(renameat), NUMBER(renameat2),
    NUMBER(getxattr), NUMBER(lgetxattr), NUMBER(fgetxattr), NUMBER(listxattr), NUMBER(llistxattr),
    NUMBER(flistxattr), NUMBER(inotify_init1), NUMBER(inotify_add_watch), NUMBER(inotify_rm_watch),
    NUMBER(copy_file_range), NUMBER(sendfile), NUMBER(splice), NUMBER(tee), NUMBER(pselect6), NUMBER(pipe2),
    NUMBER(accept), NUMBER(bind), NUMBER(connect), NUMBER(listen), NUMBER(getsockname), NUMBER(getpeername),
    NUMBER(recvmmsg), NUMBER(sendmmsg),
#ifdef __x86_64__
    NUMBER(alarm), NUMBER(pause), NUMBER(getpgrp), NUMBER(rmdir), NUMBER(link), NUMBER(symlink), NUMBER(unlink), NUMBER(rename), NUMBER(inotify_init), NUMBER(epoll_create), NUMBER(eventfd), NUMBER(signalfd),
    NUMBER(select), NUMBER(pipe), NUMBER(dup2),
#endif
};

// What modules for keys in hardware share with their daemons, besides files.
static const uint16_t sharing[] = {
    NUMBER(memfd_create), NUMBER(semget), NUMBER(semctl), NUMBER(semop), NUMBER(semtimedop), NUMBER(msgget),
    NUMBER(msgctl), NUMBER(msgrcv), NUMBER(msgsnd), NUMBER(shmget), NUMBER(shmctl), NUMBER(shmdt),
    NUMBER(mq_unlink), NUMBER(mq_timedsend), NUMBER(mq_timedreceive), NUMBER(mq_notify), NUMBER(mq_getsetattr),
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// Each entry takes two instructions; the checks of arguments take fewer than 300.
struct program {
    struct sock_filter code[2 * (COUNT(frequent) + COUNT(signing) + COUNT(reading) + COUNT(serving) + COUNT(sharing)) + 300];
    unsigned short length;
};

static void add(struct program *program, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    program->code[program->length++] = (struct sock_filter)BPF_JUMP(code, value, if_true, if_false);
}

static void load(struct program *program, size_t offset) { add(program, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }

// Both architectures are little-endian: the low half of an argument comes first, and these arguments have no other.
static void load_argument(struct program *program, int index) {
    load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * index);
}

static void end(struct program *program, uint32_t result) { add(program, BPF_RET | BPF_K, result, 0, 0); }

static const uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
static const uint32_t not_implemented = SECCOMP_RET_ERRNO | ENOSYS;

// The next instructions, `count` of them, are for this call alone; the last one must end the program, or load the number
// again.
static void for_call(struct program *program, uint32_t number, uint8_t count) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, number, 0, count);
}

static void allow_all(struct program *program, const uint16_t *numbers, size_t count) {
    for (size_t index = 0; index < count; index++) {
        for_call(program, numbers[index], 1);
        end(program, SECCOMP_RET_ALLOW);
    }
}

// Ends with one result if the argument is one of these values, and with the other one if not.
static void judge(struct program *program, uint32_t number, int index, const uint32_t *values, uint8_t count,
    uint32_t result, uint32_t other) {
    for_call(program, number, count + 3);
    load_argument(program, index);
    for (int at = 0; at < count; at++) add(program, BPF_JMP | BPF_JEQ | BPF_K, values[at], count - at, 0);
    end(program, other);
    end(program, result);
}

static void allow_values(struct program *program, uint32_t number, int index, const uint32_t *values, uint8_t count) {
    judge(program, number, index, values, count, SECCOMP_RET_ALLOW, refuse);
}

static void refuse_values(struct program *program, uint32_t number, int index, const uint32_t *values, uint8_t count) {
    judge(program, number, index, values, count, refuse, SECCOMP_RET_ALLOW);
}

// Refuses a call unless the argument is this value; what follows judges the others.
static void require(struct program *program, uint32_t number, int index, uint32_t value) {
    for_call(program, number, 4);
    load_argument(program, index);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
    end(program, refuse);
    load(program, offsetof(struct seccomp_data, nr));
}

// Allows a call unless the argument has any of these bits.
static void refuse_bits(struct program *program, uint32_t number, int index, uint32_t bits) {
    for_call(program, number, 4);
    load_argument(program, index);
    add(program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    end(program, refuse);
    end(program, SECCOMP_RET_ALLOW);
}

static const uint32_t privileges = S_ISUID | S_ISGID | S_ISVTX;

// Files that run as their owner or group would outlive the sandbox. Opening to read must not empty a file, which Landlock only
// sees since its version 3; opening neither to read nor to write, with all bits of the access mode, asks Landlock for no right.
static void check_opening(struct program *program, uint32_t number, int flags) {
    for_call(program, number, 11);
    load_argument(program, flags);
    add(program, BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_TRUNC, 0, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, O_RDONLY | O_TRUNC, 7, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 6, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE | O_TRUNC, 5, 0);
    load_argument(program, flags);
    // Only then is there a mode.
    add(program, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | (O_TMPFILE & ~O_DIRECTORY), 0, 2);
    load_argument(program, flags + 1);
    add(program, BPF_JMP | BPF_JSET | BPF_K, privileges, 1, 0);
    end(program, SECCOMP_RET_ALLOW);
    end(program, refuse);
}

static void check_files(struct program *program, enum clinux_calls calls) {
    const bool reads = calls == CLINUX_CALLS_TO_LOAD_KEYS;
    const uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    if (reads) refuse_bits(program, NUMBER(openat), 2, changes);
    else check_opening(program, NUMBER(openat), 2);
#ifdef __x86_64__
    if (reads) refuse_bits(program, NUMBER(open), 1, changes);
    else check_opening(program, NUMBER(open), 1);
#endif
    // Its flags and mode are in memory, where no filter sees them.
    for_call(program, NUMBER(openat2), 1);
    end(program, not_implemented);
    if (reads) return;
    refuse_bits(program, NUMBER(mkdirat), 2, privileges);
    refuse_bits(program, NUMBER(mknodat), 2, privileges);
#ifdef __x86_64__
    refuse_bits(program, NUMBER(creat), 1, privileges);
    refuse_bits(program, NUMBER(mkdir), 1, privileges);
    refuse_bits(program, NUMBER(mknod), 1, privileges);
#endif
}

static void check_memory(struct program *program, bool maps_code) {
    // What signs has all the code that it needs.
    if (!maps_code) refuse_bits(program, NUMBER(mmap), 2, PROT_EXEC);
    // Memory is never both written and run.
    for_call(program, NUMBER(mmap), 8);
    load_argument(program, 2);
    add(program, BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC, 0, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, PROT_WRITE | PROT_EXEC, 4, 0);
    // Libraries are private copies of files.
    add(program, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 2);
    load_argument(program, 3);
    add(program, BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED | MAP_ANONYMOUS, 1, 0);
    end(program, SECCOMP_RET_ALLOW);
    end(program, refuse);
    refuse_bits(program, NUMBER(mprotect), 2, PROT_EXEC);
    refuse_bits(program, NUMBER(pkey_mprotect), 2, PROT_EXEC);
    // It would let this process write its code by /proc/self/mem.
    const uint32_t dumpable[] = {PR_SET_DUMPABLE};
    refuse_values(program, NUMBER(prctl), 0, dumpable, 1);
}

static void check_threads(struct program *program, bool forks) {
    const uint32_t namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER
        | CLONE_NEWPID | CLONE_NEWNET;
    // A thread, but no process unless it forks. The flags of clone3 are in memory, where no filter sees them; glibc then
    // uses clone.
    for_call(program, NUMBER(clone), 5);
    load_argument(program, 0);
    add(program, BPF_JMP | BPF_JSET | BPF_K, namespaces, 1, 0);
    add(program, BPF_JMP | BPF_JSET | BPF_K, forks ? ~0u : CLONE_THREAD, 1, 0);
    end(program, refuse);
    end(program, SECCOMP_RET_ALLOW);
    for_call(program, NUMBER(clone3), 1);
    end(program, not_implemented);
    const uint32_t policies[] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE}, self[] = {0}, process[] = {PRIO_PROCESS};
    // Of the calling thread alone.
    require(program, NUMBER(sched_setscheduler), 0, 0);
    allow_values(program, NUMBER(sched_setscheduler), 1, policies, 3);
    allow_values(program, NUMBER(prlimit64), 0, self, 1);
    require(program, NUMBER(setpriority), 1, 0);
    allow_values(program, NUMBER(setpriority), 0, process, 1);
    // What starts processes ends those that hang. No filter knows their numbers.
    const uint32_t ends[] = {SIGKILL};
    if (forks) allow_values(program, NUMBER(kill), 1, ends, 1);
}

// One kind of socket: eight instructions, of which those that do not match go on with the next kind.
static void allow_socket(struct program *program, uint32_t family, uint32_t type, uint32_t protocol) {
    const uint32_t values[] = {family, type, protocol};
    for (int index = 0; index < 3; index++) {
        load_argument(program, index);
        if (index == 1) add(program, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)(SOCK_NONBLOCK | SOCK_CLOEXEC), 0, 0);
        add(program, BPF_JMP | BPF_JEQ | BPF_K, values[index], 0, index == 0 ? 6 : index == 1 ? 3 : 1);
    }
    end(program, SECCOMP_RET_ALLOW);
}

static void check_sockets(struct program *program, enum clinux_needs needs) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, NUMBER(socket), 0, 0);
    const unsigned short jump = program->length - 1;
    for (int version = 0; version < 2; version++) {
        const uint32_t family = version == 0 ? AF_INET : AF_INET6;
        allow_socket(program, family, SOCK_STREAM, 0);
        allow_socket(program, family, SOCK_STREAM, IPPROTO_TCP);
        allow_socket(program, family, SOCK_DGRAM, 0);
        allow_socket(program, family, SOCK_DGRAM, IPPROTO_UDP);
    }
    // How getaddrinfo asks which addresses this machine has.
    allow_socket(program, AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
    // How a module learns that a token was plugged in again.
    if (needs & CLINUX_NEEDS_MODULE) allow_socket(program, AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT);
    if (needs & CLINUX_NEEDS_UNIX_STREAMS) allow_socket(program, AF_UNIX, SOCK_STREAM, 0);
    if (needs & CLINUX_NEEDS_UNIX_DATAGRAMS) allow_socket(program, AF_UNIX, SOCK_DGRAM, 0);
    end(program, refuse);
    program->code[jump].jf = program->length - 1 - jump;
}

static void check_channels(struct program *program, enum clinux_needs needs) {
    check_sockets(program, needs);
    // A pair of datagram sockets could send to any other: types 2 and 3, SOCK_RAW being one of them for unix sockets.
    for_call(program, NUMBER(socketpair), 6);
    load_argument(program, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 0, 3);
    load_argument(program, 1);
    add(program, BPF_JMP | BPF_JSET | BPF_K, SOCK_DGRAM, 1, 0);
    end(program, SECCOMP_RET_ALLOW);
    end(program, refuse);
    // They ask terminals and sockets.
    const uint32_t harmless[] = {TCGETS, GET_TERMINAL, TIOCGWINSZ, FIONREAD, TIOCOUTQ, FIONBIO, FIOCLEX, FIONCLEX,
        SIOCGIFINDEX};
    if (!(needs & CLINUX_NEEDS_MODULE)) return allow_values(program, NUMBER(ioctl), 1, harmless, COUNT(harmless));
    // A module may have devices, but never types into a terminal as its user would, also by the selection of a console.
    const uint32_t typing[] = {TIOCSTI, TIOCLINUX};
    refuse_values(program, NUMBER(ioctl), 1, typing, 2);
    allow_all(program, sharing, COUNT(sharing));
    refuse_bits(program, NUMBER(mq_open), 2, privileges);
    refuse_bits(program, NUMBER(shmat), 2, SHM_EXEC);
}

static void write_program(struct program *program, enum clinux_calls calls, enum clinux_needs needs) {
    load(program, offsetof(struct seccomp_data, arch));
    add(program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(program, refuse);
    load(program, offsetof(struct seccomp_data, nr));
    // So are the calls of x32, which have a bit above all others.
    add(program, BPF_JMP | BPF_JGT | BPF_K, LAST_KNOWN, 0, 1);
    end(program, not_implemented);
    if (calls == CLINUX_CALLS_OF_DAEMON) allow_all(program, frequent, COUNT(frequent));
    allow_all(program, signing, COUNT(signing));
    if (calls != CLINUX_CALLS_TO_SIGN) allow_all(program, reading, COUNT(reading));
    if (calls == CLINUX_CALLS_OF_DAEMON) {
        allow_all(program, serving, COUNT(serving));
        check_channels(program, needs);
    }
    if (calls != CLINUX_CALLS_TO_SIGN) check_files(program, calls);
    check_memory(program, calls != CLINUX_CALLS_TO_SIGN);
    check_threads(program, calls == CLINUX_CALLS_TO_LOAD_KEYS);
    end(program, refuse);
}

int clinux_filter_system_calls(enum clinux_calls calls, enum clinux_needs needs, bool includes_other_threads) {
    if (ARCHITECTURE == 0) {
        errno = ENOTSUP;
        return -1;
    }
    struct program program = {.length = 0};
    write_program(&program, calls, needs);
    const struct sock_fprog filter = {.len = program.length, .filter = program.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    const long flags = includes_other_threads ? SECCOMP_FILTER_FLAG_TSYNC : 0;
    const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
    if (result <= 0) return (int)result;
    // The id of a thread that has a filter of its own.
    errno = EBUSY;
    return -1;
}

bool clinux_can_filter_system_calls(void) {
    return ARCHITECTURE != 0 && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}
