"""Rewrites tests without the macros of Swift Testing, for the runner in Testing.swift."""
import pathlib
import re

SLOW = set(pathlib.Path(".ci/slow-tests").read_text().split())
# What those of the tests that import Foundation use of it, mathematics and little else apart.
FOUNDATION = re.compile(r"@testable|\b(URL|Data|Process|ProcessInfo|FileManager|Date|JSONDecoder|NSLock|Thread)\b|base64")
SCOPE = re.compile(r"^( *)(?:@\w+(?:\([^)]*\))? )*(?:(?:package|private|fileprivate|final) )*(?:struct|enum|extension|class|actor) (\w+)")
TEST = re.compile(
    r"@Test(?P<traits>\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\s+(?P<prefix>(?:mutating )?)func (?P<name>\w+)\s*\((?P<parameters>[^)]*)\)"
    r"(?P<effects>(?:\s+async)?(?:\s+throws(?:\(\w+\))?)?)")


def scope(text, position):
    """The type around a position: the last one whose indentation is smaller."""
    indentation = position - text.rindex("\n", 0, position) - 1 if "\n" in text[:position] else position
    for line in reversed(text[:position].splitlines()):
        match = SCOPE.match(line)
        if match and len(match[1]) < indentation:
            return match[2]
    return None


def test_entry(module, owner, match):
    """The expression that runs a test; None if the test is left out."""
    traits = match["traits"] or ""
    if ".enabled(" in traits or f"{owner or module}/{match['name']}" in SLOW:
        return None
    call = f"suite.{match['name']}" if owner else match["name"]
    suite = "var suite = Self(); " if owner else ""
    label = f'"{owner or module}.{match["name"]}"'
    arguments = re.search(r"arguments: ((?:.|\n)*)\)$", traits)
    if not arguments:
        return f"PlainTest({label}) {{ {suite}try await {call}() }}"
    parameters = match["parameters"].split(",")
    if len(parameters) != 1:
        return None
    parameter = parameters[0].split(":")[0].split()[0]
    passed = "argument" if parameter == "_" else f"{parameter}: argument"
    return f"PlainTest({label}) {{ for argument in {arguments[1]} {{ {suite}try await {call}({passed}) }} }}"


def rewrite(module, source, directory):
    """Writes a file without macros. Returns the expression of its tests, how many there are, and how many are left out."""
    text = source.read_text()
    matches = list(TEST.finditer(text))
    entries = {}
    for match in matches:
        owner = scope(text, match.start())
        if entry := test_entry(module, owner, match):
            entries.setdefault(owner, []).append(entry)
    text = TEST.sub(lambda m: f"{m['prefix']}func {m['name']}({m['parameters']}){m['effects']}", text)
    text = re.sub(r"@Suite(\([^)]*\))? ", "", text)
    text = re.sub(r"^import Testing$", "import PlainTesting", text, flags=re.M)
    text = re.sub(r"#(expect|require)\b", r"\1", text)
    text = text.replace("Issue.record(", "fail(").replace("#_sourceLocation", "SourceLocation()")
    text = text.replace("import Foundation", "import Glibc")
    text = text.replace("#filePath", f'"{source.absolute()}"')
    lists = []
    for owner, expressions in entries.items():
        body = "{ [\n  " + ",\n  ".join(expressions) + "\n] }\n"
        name = f"tests_{re.sub(r'[^A-Za-z0-9]', '_', source.stem)}_{owner or ''}"
        if owner:
            text += f"\nextension {owner} {{ fileprivate static var plainTests: [PlainTest] {body} }}\n"
            text += f"var {name}: [PlainTest] {{ {owner}.plainTests }}\n"
        else:
            text += f"\nvar {name}: [PlainTest] {body}"
        lists.append(name)
    (directory / source.name).write_text(text)
    count = sum(len(expressions) for expressions in entries.values())
    return lists, count, len(matches) - count


def rewrite_module(module, directory):
    """Rewrites the tests of a module into a directory. Returns the files, of which main.swift runs all
    tests, and a summary."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    lists, count, omitted, left_out = [], 0, 0, []
    for source in sorted(pathlib.Path("Tests", module).rglob("*.swift")):
        text = source.read_text()
        if "import Foundation" in text and FOUNDATION.search(text):
            left_out.append(source.name)
            continue
        names, rewritten, skipped = rewrite(module, source, directory)
        lists, count, omitted = lists + names, count + rewritten, omitted + skipped
    runs = "".join(f"all += {name}\n" for name in lists)
    (directory / "main.swift").write_text(
        "import Glibc\nimport PlainTesting\n\nvar all: [PlainTest] = []\n" + runs
        + "exit(await run(all) == 0 ? 0 : 1)\n")
    files = f"; without {', '.join(left_out)}" if left_out else ""
    return sorted(directory.iterdir()), f"{module}: {count} tests, {omitted} slow or optional ones left out{files}"
