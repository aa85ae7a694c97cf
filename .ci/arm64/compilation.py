"""Compiles the modules of the package for ARM64, several at a time."""
import concurrent.futures
import json
import os
import pathlib
import subprocess

from environment import output

FLAGS = ["-swift-version", "6", "-package-name", "arm64", "-strict-memory-safety", "-enable-upcoming-feature", "ExistentialAny",
         "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
         "-enable-experimental-feature", "Lifetimes", "-I", "Sources/CZlib", "-D", "HEVC", "-D", "AV1",
         "-D", "AVC", "-D", "JPEGXL", "-D", "SystemZlib"]


class Compilation:
    def __init__(self, environment, folder):
        self.environment = environment
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        package = json.loads(output("swift", "package", "dump-package"))
        self.targets = {target["name"]: target for target in package["targets"]}

    def dependencies(self, name):
        """The modules of the package that a module imports directly."""
        named = [entry.get("byName") or entry.get("target") for entry in self.targets[name]["dependencies"]]
        return [entry[0] for entry in named if entry and entry[0] in self.targets and entry[0] != "CZlib"]

    def closure(self, names):
        """These modules and all that they depend on, each after its dependencies."""
        ordered = []

        def visit(name):
            if name not in ordered:
                for dependency in self.dependencies(name):
                    visit(dependency)
                ordered.append(name)

        for name in names:
            visit(name)
        return ordered

    def sources(self, name):
        target = self.targets[name]
        kind = "Tests" if target["type"] == "test" else "Sources"
        folder = pathlib.Path(target.get("path") or f"{kind}/{name}")
        excluded = [folder / part for part in target.get("exclude", [])]
        return [file for file in sorted(folder.rglob("*.swift"))
                if not any(part == file or part in file.parents for part in excluded)]

    def compile(self, name, sources, *flags):
        """Compiles a module to an object file; errors end the run."""
        module = self.folder / f"{name}.swiftmodule"
        process = subprocess.run(
            [*self.environment.compiler(), *FLAGS, "-wmo", "-parse-as-library", "-I", self.folder, "-module-name", name,
             "-emit-module", "-emit-module-path", module, "-c", *sources, "-o", self.folder / f"{name}.o", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if process.returncode != 0:
            raise SystemExit(f"{name} does not compile for ARM64:\n{process.stdout[-4000:]}")

    def compile_all(self, names, flags=("-O",)):
        """Compiles modules and all that they depend on, each as soon as its dependencies are there."""
        waiting = {name: set(self.dependencies(name)) for name in self.closure(names)}
        running = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            while waiting or running:
                for name in [name for name, missing in waiting.items() if not missing]:
                    del waiting[name]
                    running[pool.submit(self.compile, name, self.sources(name), *flags)] = name
                for finished in concurrent.futures.wait(running, return_when="FIRST_COMPLETED").done:
                    finished.result()
                    name = running.pop(finished)
                    for missing in waiting.values():
                        missing.discard(name)

    def link(self, name, sources, modules, *flags):
        """Compiles a program and links it with modules. Returns its path."""
        program = self.folder / name
        libraries = ["-L", self.environment.sysroot / "usr/lib/aarch64-linux-gnu", "-lz", "-lm"]
        objects = [self.folder / f"{module}.o" for module in modules]
        process = subprocess.run(
            [*self.environment.compiler(), *FLAGS, "-wmo", "-I", self.folder, "-module-name", name, *sources, *objects,
             *libraries, *flags, "-suppress-warnings", "-o", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if process.returncode != 0:
            raise SystemExit(f"{name} cannot be built for ARM64:\n{process.stdout[-4000:]}")
        return program
