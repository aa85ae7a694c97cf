"""What compiles and runs ARM64 programs here: Debian's ARM64 libraries, an emulator, and the language's modules.

The compiler of this machine generates code for ARM64, but comes with modules for its own processor only. Those of the
language are there as textual interfaces too, which it compiles for the other processor; the libraries at run time are
Debian's. Modules without an interface (Foundation, Dispatch) are not available.
"""
import os
import pathlib
import re
import shutil
import subprocess

TARGET = "aarch64-unknown-linux-gnu"
# Everything that the packages below the umbrella and the tests import, with what that imports in turn.
INTERFACES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "_RegexParser", "Synchronization",
              "Glibc", "_Builtin_float"]
# The start of every program (swiftrt.o) is in the first package only.
SWIFT_PACKAGES = ["swiftlang", "libswiftlang"]
# The files for the processor that are not modules.
PROCESSOR = ["SwiftGlibc.h", "glibc.modulemap", "swiftrt.o"]
LIBRARIES = ["libc6-dev", "libstdc++-15-dev", "libgcc-15-dev", "zlib1g-dev"]
PEERS = ["libjpeg-turbo-progs", "libpng-dev", "webp", "libde265-dev"]
LEAST_VERSION = (6, 2)


class Unavailable(Exception):
    """A package cannot be had."""


def command(*arguments, **options):
    return subprocess.run(arguments, check=True, text=True, **options)


def output(*arguments, **options):
    return command(*arguments, stdout=subprocess.PIPE, **options).stdout


class Environment:
    def __init__(self):
        caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        self.folder = pathlib.Path(os.environ.get("ARM64_CACHE") or pathlib.Path(caches, "swift-image-codecs-arm64"))
        self.sysroot = self.folder / "sysroot"
        self.resources = self.folder / "resources"
        self.folder.mkdir(parents=True, exist_ok=True)

    def prepare(self):
        try:
            self.install_emulator()
            self.install_libraries()
        except (subprocess.CalledProcessError, OSError) as error:
            raise Unavailable(error) from error
        self.install_modules()

    def install_emulator(self):
        if not shutil.which("qemu-aarch64-static"):
            command("apt-get", "install", "-y", "-qq", "qemu-user-static", stdout=subprocess.DEVNULL)

    def apt(self, tool, *arguments):
        """Runs a tool of apt on the package lists of Debian's development release for ARM64, which it does not mix with
        those of this machine."""
        state = self.folder / "apt"
        configuration = state / "apt.conf"
        if not configuration.exists():
            for part in ("lists/partial", "cache/archives/partial"):
                (state / part).mkdir(parents=True, exist_ok=True)
            (state / "status").touch()
            (state / "sources.list").write_text(f"deb {mirror()} sid main\n")
            configuration.write_text(f'''
                APT::Architecture "arm64"; APT::Architectures {{ "arm64"; }}; APT::Sandbox::User "root";
                Dir::Etc::sourcelist "{state}/sources.list"; Dir::Etc::sourceparts "{state}/none";
                Dir::State "{state}"; Dir::State::status "{state}/status"; Dir::Cache "{state}/cache";''')
        environment = {**os.environ, "APT_CONFIG": str(configuration)}
        return output(tool, *arguments, cwd=self.folder, env=environment)

    def install_libraries(self):
        finished = self.sysroot / "complete"
        if finished.exists():
            return
        self.apt("apt-get", "update", "-qq")
        policy = self.apt("apt-cache", "policy", "libswiftlang")
        version = re.search(r"Candidate: (\d+)\.(\d+)", policy)
        if not version or tuple(map(int, version.groups())) < LEAST_VERSION:
            raise Unavailable("there is no recent Swift for ARM64 among the packages")
        self.apt("apt-get", "download", *SWIFT_PACKAGES)
        self.apt("apt-get", "install", "-y", "-qq", "-d", "--no-install-recommends", "libswiftlang", *LIBRARIES, *PEERS)
        shutil.rmtree(self.sysroot, ignore_errors=True)
        self.sysroot.mkdir()
        for package in [*self.folder.glob("*.deb"), *self.folder.glob("apt/cache/archives/*.deb")]:
            self.unpack(package)
            package.unlink()
        (self.sysroot / "lib").symlink_to("usr/lib")
        # Where the compiler looks for them.
        (self.sysroot / "usr/lib/swift").symlink_to(self.runtime.parent)
        finished.touch()

    def unpack(self, package):
        # Of the compiler's package, which is large, only the start of programs and the modules of the C library matter.
        is_compiler = package.name.startswith("swiftlang_")
        wanted = ["--wildcards", *(f"*/swift/linux/aarch64/{part}" for part in PROCESSOR)] if is_compiler else []
        archive = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
        command("tar", "x", "-C", self.sysroot, *wanted, stdin=archive.stdout)
        if archive.wait() != 0:
            raise Unavailable(f"{package.name} cannot be unpacked")

    @property
    def runtime(self):
        """The folder of the language's libraries."""
        return next(self.sysroot.glob("usr/**/swift/linux/libswiftCore.so")).parent

    def install_modules(self):
        """Collects the interfaces of this machine's modules. The first compilation translates them, in a minute."""
        compiler = output("swiftc", "--version", stderr=subprocess.DEVNULL)
        stamp = self.resources / "compiler"
        if stamp.exists() and stamp.read_text() == compiler:
            return
        shutil.rmtree(self.resources, ignore_errors=True)
        shutil.rmtree(self.folder / "modules", ignore_errors=True)
        host = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/swift"
        for name in INTERFACES:
            folder = self.resources / f"linux/{name}.swiftmodule"
            folder.mkdir(parents=True)
            interface = next((host / f"linux/{name}.swiftmodule").glob("*-linux-gnu.swiftinterface")).read_text()
            interface = re.sub(r"-target \S+", f"-target {TARGET}", interface)
            # Two functions of 80-bit numbers call what exists on x86-64 only; nothing here uses them.
            interface = interface.replace("self = _stdlib_remainderl(self, other)", "self = other")
            interface = interface.replace("self = _stdlib_squareRootl(self)", "self = 0")
            (folder / f"{TARGET}.swiftinterface").write_text(interface)
        for part in ("shims", "apinotes"):
            shutil.copytree(host / part, self.resources / part)
        (self.resources / "clang").symlink_to((host / "clang").resolve())
        for library in self.runtime.glob("*.so"):
            shutil.copy(library, self.resources / "linux")
        processor = self.resources / "linux/aarch64"
        processor.mkdir()
        for part in PROCESSOR:
            shutil.copy(self.runtime / "aarch64" / part, processor)
        stamp.write_text(compiler)

    def compiler(self):
        """The start of every call of the compiler."""
        return ["swiftc", "-target", TARGET, "-sdk", self.sysroot, "-resource-dir", self.resources, "-module-cache-path",
                self.folder / "modules", "-use-ld=lld", "-Xclang-linker", f"--sysroot={self.sysroot}"]

    def emulator(self):
        """The start of every call of a program."""
        libraries = f"{self.resources}/linux:{self.sysroot}/usr/lib/aarch64-linux-gnu"
        return ["qemu-aarch64-static", "-L", self.sysroot, "-E", f"LD_LIBRARY_PATH={libraries}"]


def mirror():
    """The address from which this machine installs its own packages."""
    addresses = output("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").split()
    candidates = [address for address in addresses if re.search(r"/debian/?$", address)]
    if not candidates:
        raise Unavailable("this machine does not install packages of Debian")
    return candidates[0]
