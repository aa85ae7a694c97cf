// The C library of Apple's platforms.

#include <stddef.h>
#include <stdint.h>
#include "../Mathematics.h"

typedef uint16_t mode_t;
typedef int64_t off_t;
typedef long ssize_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef uint32_t socklen_t;
typedef unsigned int nfds_t;
typedef uint64_t rlim_t;
typedef uint32_t sigset_t;
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_PROCESS_CPUTIME_ID = 12 } clockid_t;
struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_mutex_t pthread_mutex_t;
struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; };
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_attr_t pthread_attr_t;
struct _opaque_pthread_t { long __sig; void *__cleanup_stack; char __opaque[8176]; };
typedef struct _opaque_pthread_t *pthread_t;
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;

struct timespec { long tv_sec; long tv_nsec; };
struct timeval { long tv_sec; int tv_usec; };

typedef struct { int __dd_fd; long __dd_loc; long __dd_size; char *__dd_buf; } DIR;
struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};

struct stat {
  int32_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  int32_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
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
#define EAGAIN 35
#define ENOSYS 78
#define ELOOP 62
#define ENAMETOOLONG 63
#define EDQUOT 69

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_NONBLOCK 0x0004
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_CLOEXEC 0x1000000
#define F_SETFD 2
#define F_SETFL 4
#define FD_CLOEXEC 1
#define AF_UNIX 1
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_NOSIGPIPE 0x1022
#define POLLIN 0x0001
#define SIGKILL 9
#define SIGPIPE 13
#define SIGXCPU 24
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define POSIX_SPAWN_CLOEXEC_DEFAULT 0x4000
#define RLIMIT_CPU 0
#define RLIMIT_CORE 4
#define PTHREAD_CREATE_DETACHED 2

#include "../POSIX.h"
int pthread_create(
  pthread_t _Nullable * _Nonnull thread, const pthread_attr_t * _Nullable attributes,
  void * _Nullable (* _Nonnull body)(void * _Nonnull), void * _Nullable argument);
