// What Swift's Glibc overlay cannot express. Nothing else belongs here.
#pragma once
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>

/// accept4(2) with SOCK_NONBLOCK | SOCK_CLOEXEC; the peer's address is written to `peer`.
int clinux_accept(int listener, struct sockaddr_storage *peer);

/// Attaches a socket filter that drops every new SYN, so that a listener takes no further connection while
/// handshakes under way and the accept queue are still served. Returns 0, or -1 with errno.
int clinux_refuse_new_connections(int listener);

/// Keeps this process's memory out of core dumps and from other processes of its user, and every program that it runs from
/// getting more rights than it has (prctl(2): PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS).
void clinux_forbid_dumps_and_new_privileges(void);

/// The number of processors that this process may run on (sched_getaffinity(2)); at least 1.
int clinux_available_processors(void);

/// Makes the calling thread one of SCHED_BATCH (sched(7)), which takes the processor from no other when it wakes; whether it
/// was an ordinary one and the system lets it.
bool clinux_begin_batch(void);

/// Makes it an ordinary one again.
void clinux_end_batch(void);

/// Lets go of the resident pages of machine code, this program's and its libraries' (madvise(2), MADV_DONTNEED): those
/// that are used again come back from the page cache, the others no longer count.
void clinux_release_code(void);
