// Only what Swift's Glibc overlay cannot express.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>

#include "KeyMemory.h"
#include "Processes.h"

/// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC; the peer's address is written to `peer`.
int clinux_accept(int listener, struct sockaddr_storage *peer);

/// Attaches a socket filter that drops every new SYN: the listener gets no further connection, but TCP handshakes in
/// progress and the accept queue are still served. Returns 0, or -1 with errno.
int clinux_refuse_new_connections(int listener);

/// Hides this process's memory from core dumps and from other processes of its user, and keeps programs that it runs
/// from gaining privileges (prctl(2): PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS).
void clinux_forbid_dumps_and_new_privileges(void);

/// Whether a file or folder has an access control list (acl(5)), or that cannot be found out.
bool clinux_has_acl(const char *path);

/// The number of processors that this process may run on (sched_getaffinity(2)); at least 1.
int clinux_available_processors(void);

/// Gives the calling thread the policy SCHED_BATCH (sched(7)), with which it does not preempt other threads when it
/// wakes. False if its policy was not SCHED_OTHER or the system refuses.
bool clinux_begin_batch(void);

/// Restores the policy SCHED_OTHER.
void clinux_end_batch(void);

/// Gives memory that was freed back to the system (malloc_trim(3)); meanwhile other threads may wait to allocate.
void clinux_release_freed_memory(void);

/// What a Landlock ruleset limits: rights of files and of TCP ports, and what stays among the processes that it
/// limits (linux/landlock.h: landlock_ruleset_attr).
struct clinux_landlock_limits {
    uint64_t files;
    uint64_t ports;
    uint64_t scopes;
};

/// The version of Landlock (landlock(7)) that the kernel offers; -1 with errno.
int clinux_landlock_version(void);

/// A new ruleset's descriptor; -1 with errno.
int clinux_landlock_create(const struct clinux_landlock_limits *limits);

/// Opens a folder or a file for such rules alone (open(2), O_PATH). Returns its descriptor, or -1 with errno.
int clinux_open_place(const char *path);

/// Allows these rights below a folder, or of a file. Returns 0, or -1 with errno.
int clinux_landlock_allow_path(int ruleset, int path, uint64_t rights);

/// Allows these rights of a TCP port. Returns 0, or -1 with errno.
int clinux_landlock_allow_port(int ruleset, uint16_t port, uint64_t rights);

/// Limits the calling thread and the threads that it starts from now on by a ruleset, and forbids new privileges.
/// Returns 0, or -1 with errno.
int clinux_landlock_restrict(int ruleset);

/// The system calls that a process may make.
enum clinux_calls {
    /// All that the daemon needs.
    CLINUX_CALLS_OF_DAEMON,
    /// What reads files and starts processes, but no programs: no sockets, changes of files or signals but SIGKILL.
    CLINUX_CALLS_TO_LOAD_KEYS,
    /// What computes and uses open sockets.
    CLINUX_CALLS_TO_SIGN,
};

/// What a configuration of the daemon needs besides.
enum clinux_needs {
    CLINUX_NEEDS_NO_MORE = 0,
    /// Unix sockets to listen at.
    CLINUX_NEEDS_UNIX_STREAMS = 1,
    /// Unix sockets of syslog and the journal.
    CLINUX_NEEDS_UNIX_DATAGRAMS = 2,
    /// What modules for keys in hardware share with their daemons and devices: memory, queues, semaphores, and any ioctl(2).
    CLINUX_NEEDS_MODULE = 4,
};

/// Refuses all other system calls (EPERM) and new privileges to the calling thread, the threads that it starts from now
/// on, and with `includes_other_threads` those that there are (seccomp(2)). Returns 0, or -1 with errno.
int clinux_filter_system_calls(enum clinux_calls calls, enum clinux_needs needs, bool includes_other_threads);

/// Whether the kernel and the architecture allow such a filter.
bool clinux_can_filter_system_calls(void);
