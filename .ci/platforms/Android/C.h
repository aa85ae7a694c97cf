// Bionic, with 64 bits. Its headers state whether a pointer may be null; structures of streams are opaque.

#include <stddef.h>
#include <stdint.h>
#include "../Mathematics.h"

typedef uint32_t mode_t;
typedef int64_t off_t;
typedef long ssize_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int clockid_t;

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

int close(int descriptor);
int isatty(int descriptor);
ssize_t read(int descriptor, void * _Null_unspecified buffer, size_t count);
ssize_t write(int descriptor, const void * _Null_unspecified buffer, size_t count);
ssize_t pread(int descriptor, void * _Nonnull buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void * _Nonnull buffer, size_t count, off_t offset);
ssize_t readlink(const char * _Nonnull path, char * _Nonnull buffer, size_t size);
int fchown(int descriptor, uid_t owner, gid_t group);
int unlink(const char * _Nonnull path);
int rename(const char * _Nonnull old_path, const char * _Nonnull new_path);
pid_t getppid(void);
extern char * _Nullable * _Nullable environ;

typedef struct DIR DIR;
struct dirent {
  uint64_t d_ino;
  int64_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
DIR * _Nullable opendir(const char * _Nonnull path);
struct dirent * _Nullable readdir(DIR * _Nonnull directory);
int closedir(DIR * _Nonnull directory);

struct timespec { long tv_sec; long tv_nsec; };
struct timeval { long tv_sec; long tv_usec; };
#define CLOCK_PROCESS_CPUTIME_ID 2
int clock_gettime(clockid_t clock, struct timespec * _Nonnull time);
int utimes(const char * _Nonnull path, const struct timeval times[_Nullable 2]);

struct stat {
  uint64_t st_dev;
  uint64_t st_ino;
  mode_t st_mode;
  uint32_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  uint64_t st_rdev;
  uint64_t __pad1;
  off_t st_size;
  int st_blksize;
  int __pad2;
  long st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
};
int stat(const char * _Nonnull path, struct stat * _Nonnull status);
int lstat(const char * _Nonnull path, struct stat * _Nonnull status);
int fstat(int descriptor, struct stat * _Nonnull status);
int mkdir(const char * _Nonnull path, mode_t mode);
int fchmod(int descriptor, mode_t mode);

char * _Nullable getenv(const char * _Nonnull name);
char * _Nullable realpath(const char * _Nonnull path, char * _Nullable resolved);
void free(void * _Nullable memory);
size_t strlen(const char * _Nonnull string);

typedef struct { int32_t __private[10]; } pthread_mutex_t;
typedef long pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t * _Nonnull mutex, const pthread_mutexattr_t * _Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t * _Nonnull mutex);
int pthread_mutex_lock(pthread_mutex_t * _Nonnull mutex);
int pthread_mutex_unlock(pthread_mutex_t * _Nonnull mutex);

typedef long pthread_t;
typedef struct {
  uint32_t flags;
  void * _Nullable stack_base;
  size_t stack_size;
  size_t guard_size;
  int32_t sched_policy;
  int32_t sched_priority;
  char __reserved[16];
} pthread_attr_t;
#define PTHREAD_CREATE_DETACHED 1
int pthread_attr_init(pthread_attr_t * _Nonnull attributes);
int pthread_attr_destroy(pthread_attr_t * _Nonnull attributes);
int pthread_attr_setdetachstate(pthread_attr_t * _Nonnull attributes, int state);
int pthread_attr_setstacksize(pthread_attr_t * _Nonnull attributes, size_t size);
int pthread_create(
  pthread_t * _Nonnull thread, const pthread_attr_t * _Nullable attributes,
  void * _Nullable (* _Nonnull body)(void * _Nullable), void * _Nullable argument);
