#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <linux/filter.h>
#include <sched.h>
#include <errno.h>
#include <sys/prctl.h>
#include <sys/xattr.h>

int clinux_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t length = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_refuse_new_connections(int listener) {
    // A TCP socket's filter sees the segment from the TCP header on; byte 13 holds the flags, 0x02 is SYN.
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x02, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};
    return setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

bool clinux_has_acl(const char *path) {
    return lgetxattr(path, "system.posix_acl_access", NULL, 0) >= 0 || (errno != ENODATA && errno != ENOTSUP);
}

void clinux_forbid_dumps_and_new_privileges(void) {
    // Neither can fail with these arguments.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

int clinux_available_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
}

static bool schedule(int policy) {
    const struct sched_param parameters = {.sched_priority = 0};
    return sched_setscheduler(0, policy, &parameters) == 0;
}

bool clinux_begin_batch(void) { return sched_getscheduler(0) == SCHED_OTHER && schedule(SCHED_BATCH); }

void clinux_end_batch(void) { schedule(SCHED_OTHER); }

void clinux_release_freed_memory(void) { malloc_trim(0); }
