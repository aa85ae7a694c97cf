// Musl on x86-64. Structures of directories are opaque.

#include <stddef.h>
#include <stdint.h>
#include "../Mathematics.h"

typedef unsigned mode_t;
typedef int64_t off_t;
typedef long ssize_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef int clockid_t;
typedef unsigned socklen_t;
typedef unsigned long nfds_t;
typedef unsigned long long rlim_t;
typedef struct { unsigned long __bits[16]; } sigset_t;
typedef struct { union { int __i[10]; volatile void *volatile __p[5]; } __u; } pthread_mutex_t;
typedef struct { unsigned __attr; } pthread_mutexattr_t;
typedef struct { union { int __i[14]; unsigned long __s[7]; } __u; } pthread_attr_t;
typedef struct __pthread *pthread_t;
typedef struct { int __pad0[2]; void *__actions; int __pad[16]; } posix_spawn_file_actions_t;
typedef struct {
  int __flags;
  pid_t __pgrp;
  sigset_t __def, __mask;
  int __prio, __pol;
  void *__fn;
  char __pad[56];
} posix_spawnattr_t;

struct timespec { long tv_sec; long tv_nsec; };
struct timeval { long tv_sec; long tv_usec; };
#define CLOCK_PROCESS_CPUTIME_ID 2

typedef struct __dirstream DIR;
struct dirent {
  uint64_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};

struct stat {
  uint64_t st_dev;
  uint64_t st_ino;
  uint64_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  unsigned __pad0;
  uint64_t st_rdev;
  off_t st_size;
  long st_blksize;
  int64_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
  long __unused[3];
};

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define ENAMETOOLONG 36
#define ENOSYS 38
#define ELOOP 40
#define EDQUOT 122

#define O_RDONLY 00
#define O_WRONLY 01
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_NONBLOCK 04000
#define O_CLOEXEC 02000000

#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1
#define AF_UNIX 1
#define SOCK_STREAM 1
#define SOCK_CLOEXEC 02000000
#define MSG_NOSIGNAL 0x4000
#define POLLIN 0x001
#define SIGKILL 9
#define SIGPIPE 13
#define SIGXCPU 24
#define POSIX_SPAWN_SETSIGDEF 4
#define POSIX_SPAWN_SETSIGMASK 8
#define RLIMIT_CPU 0
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_AS 9
#define PTHREAD_CREATE_DETACHED 1

extern char **environ;

#include "../POSIX.h"
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
