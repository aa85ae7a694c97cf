// The functions of POSIX in use, with the types that the including header defines.

int close(int descriptor);
int isatty(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t write(int descriptor, const void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset);
ssize_t readlink(const char *path, char *buffer, size_t size);
int fchown(int descriptor, uid_t owner, gid_t group);
int unlink(const char *path);
int rename(const char *old_path, const char *new_path);
pid_t getppid(void);

DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);

int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int mkdir(const char *path, mode_t mode);
int fchmod(int descriptor, mode_t mode);
int utimes(const char *path, const struct timeval times[2]);
int clock_gettime(clockid_t clock, struct timespec *time);

char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
char *strdup(const char *string);
void free(void *memory);
size_t strlen(const char *string);

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);

int socketpair(int domain, int type, int protocol, int ends[2]);
ssize_t send(int descriptor, const void *buffer, size_t count, int flags);
int setsockopt(int descriptor, int level, int name, const void *value, socklen_t size);

struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *requests, nfds_t count, int milliseconds);

int sigemptyset(sigset_t *set);
int sigaddset(sigset_t *set, int signal);
int kill(pid_t process, int signal);
pid_t waitpid(pid_t process, int *status, int options);

struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
int getrlimit(int resource, struct rlimit *limit);
int setrlimit(int resource, const struct rlimit *limit);

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int descriptor, int duplicate);
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *attributes, const sigset_t *signals);
int posix_spawnattr_setsigmask(posix_spawnattr_t *attributes, const sigset_t *signals);
int posix_spawn(
  pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
  char *const arguments[], char *const environment[]);
