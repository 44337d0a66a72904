"""The program of the release before: the one before the newest migration, in a tree of its own."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TREE = os.path.join(ROOT, ".build", "older")


def git(*words, folder=ROOT):
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def older_tree():
    """Checks the sources of the older program out below .build/older, and returns the folder and the commit."""
    newest = git("log", "-1", "--format=%H", "--diff-filter=A", "--", "Sources/SQLiteStore/Migrations/*.sql")
    commit = git("rev-parse", newest + "^")
    if not os.path.exists(os.path.join(TREE, ".git")):
        git("worktree", "prune")
        git("worktree", "add", "--force", "--detach", TREE, commit)
    elif git("rev-parse", "HEAD", folder=TREE) != commit:
        git("checkout", "--quiet", "--force", "--detach", commit, folder=TREE)
    return TREE, commit


def older_program():
    """Builds the older program where it is not built, which takes as long as a release build, and returns its path and the
    folder of its content."""
    folder, commit = older_tree()
    program = os.path.join(folder, ".build", "release", "dossier")
    mark = os.path.join(folder, ".build", "release.commit")
    if not os.path.exists(program) or not os.path.exists(mark) or open(mark, encoding="utf-8").read() != commit:
        print(f"builds the program of {commit[:12]}, before the newest migration", flush=True)
        subprocess.run(["swift", "build", "-c", "release", "--product", "dossier"], cwd=folder, check=True)
        with open(mark, "w", encoding="utf-8") as file:
            file.write(commit)
    return program, folder
