// What <spawn.h> and <sys/mman.h> of glibc 2.34 have and Swift's Glibc overlay, built without _GNU_SOURCE, lacks.
#pragma once
#include <spawn.h>

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int memfd_create(const char *name, unsigned int flags);
