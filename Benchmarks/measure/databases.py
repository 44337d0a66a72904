"""Databases of one measurement: SQLite files, and a PostgreSQL server that ends afterwards."""
import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile

from .processes import TICKS, WORK, fail, free_port, output, ticks


class SQLite:
    """Files below the folder of the benchmarks."""

    name = "sqlite"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def fresh(self, name):
        """The address of a database that does not exist yet."""
        path = self.path(name)
        for ending in ["", "-wal", "-shm"]:
            if os.path.exists(path + ending):
                os.remove(path + ending)
        return "sqlite:" + path

    def path(self, name):
        return os.path.join(WORK, name + ".db")

    def ask(self, name, question):
        """The first value of the answer."""
        with contextlib.closing(sqlite3.connect(self.path(name))) as connection:
            return connection.execute(question).fetchone()[0]

    def age(self, name, jobs, milliseconds):
        """Makes the first finished jobs older, with their ids, which begin with the time of submission."""
        with contextlib.closing(sqlite3.connect(self.path(name), timeout=60)) as connection, connection:
            connection.create_function(
                "older", 1, lambda id: (int.from_bytes(id[:6], "big") - milliseconds).to_bytes(6, "big") + id[6:])
            connection.execute(
                f"""
                UPDATE job SET id = older(id), created_at = created_at - {milliseconds},
                    completed_at = completed_at - {milliseconds}
                WHERE number IN (SELECT number FROM job WHERE completed_at IS NOT NULL ORDER BY number LIMIT {jobs})
                """)

    def settle(self, name):
        """Nothing: what a fill leaves is in the log, and readers read it there."""

    def processor_seconds(self):
        """None: the database runs within its processes."""

    def version(self):
        return "SQLite " + (output("sqlite3", "--version").split()[0] if shutil.which("sqlite3") else "3.40")


def older(column, milliseconds):
    """In SQL, the id of a column with an earlier time of submission, with which ids begin."""
    hex = f"replace({column}::text, '-', '')"
    return (
        f"(lpad(to_hex(('x' || left({hex}, 12))::bit(48)::bigint - {milliseconds}), 12, '0') || substr({hex}, 13))::uuid")


class PostgreSQL:
    """A server on a port and in a folder of its own, durable by default: fsync and synchronous_commit are on."""

    name = "postgres"
    settings = {
        "listen_addresses": "127.0.0.1", "max_connections": "1100", "shared_buffers": "256MB", "max_wal_size": "4GB",
        "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "jit": "off",
    }

    def __enter__(self):
        self.binaries = output("pg_config", "--bindir").strip()
        if not os.path.exists(os.path.join(self.binaries, "initdb")):
            fail("PostgreSQL's server is not installed; run Scripts/setup")
        self.port, self.folder = free_port(), tempfile.mkdtemp(prefix="dossier-bench-")
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        data = os.path.join(self.folder, "data")
        self.as_server("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--locale=C", "-E", "UTF8")
        with open(os.path.join(data, "postgresql.conf"), "a") as file:
            for key, value in {
                **self.settings, "port": str(self.port), "unix_socket_directories": self.folder,
            }.items():
                file.write(f"{key} = '{value}'\n")
        self.as_server("pg_ctl", "-D", data, "-l", os.path.join(self.folder, "log"), "-w", "start")
        with open(os.path.join(data, "postmaster.pid")) as file:
            self.process = int(file.readline())
        return self

    def __exit__(self, *_):
        self.as_server("pg_ctl", "-D", os.path.join(self.folder, "data"), "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def as_server(self, program, *words):
        """Runs one of the server's programs as its user: PostgreSQL refuses to run as root."""
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
        ended = subprocess.run(
            [os.path.join(self.binaries, program), *words], cwd="/", stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, **user)
        if ended.returncode != 0:
            fail(f"{program}: {ended.stderr}")

    def fresh(self, name):
        """The address of a new database."""
        self.sql("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, name):
        return f"postgres://postgres@127.0.0.1:{self.port}/{name}"

    def sql(self, name, *statements, **variables):
        words = [word for statement in statements for word in ["-c", statement]]
        return self.psql(name, *words, **variables)

    def age(self, name, jobs, milliseconds):
        """Makes the first finished jobs older, with their ids, which begin with the time of submission."""
        self.sql(
            name,
            f"""
            UPDATE job SET created_at = created_at - {milliseconds}, completed_at = completed_at - {milliseconds},
                id = {older("id", milliseconds)}
            WHERE number IN (SELECT number FROM job WHERE completed_at IS NOT NULL ORDER BY number LIMIT {jobs})
            """)

    def leave_room(self, name):
        """Lets numbers begin so high that copies of jobs and of entries have lower ones."""
        self.sql(
            name, "SELECT setval('job_number_seq', 20 * 10000000), setval('ledger_entry_seq', 20 * 10000000)")

    def settle(self, name):
        """Writes what a fill has left to the disk, which would hold reads up for seconds."""
        self.sql(name, "CHECKPOINT")

    def copy_finished(self, name, copies, milliseconds):
        """Archives copies of the finished jobs and of their entries of the ledger, each copy older than the last."""
        for copy in range(1, copies + 1):
            age, less = copy * milliseconds, copy * 10_000_000
            jobs = {
                "number": f"number - {less}", "hold": f"hold - {less}", "id": older("id", age),
                **{column: f"{column} - {age}" for column in ["created_at", "started_at", "completed_at", "deadline"]}}
            entries = {
                "entry": f"entry - {less}", "hold": f"hold - {less}", "created_at": f"created_at - {age}",
                "job": older("job", age)}
            for table, source, changed, condition in [
                    ("finished_job", "ONLY job", jobs, "completed_at IS NOT NULL"),
                    ("ledger", "ledger", entries, "kind <> 'grant' AND entry > 20 * 10000000")]:
                columns = self.sql(
                    name,
                    "SELECT string_agg(attname, ',') FROM pg_attribute"
                    f" WHERE attrelid = '{table}'::regclass AND attnum > 0 AND NOT attisdropped").strip()
                values = ", ".join(changed.get(column, column) for column in columns.split(","))
                self.sql(name, f"INSERT INTO {table} ({columns}) SELECT {values} FROM {source} WHERE {condition}")

    def ask(self, name, question):
        """The first value of the answer."""
        return float(self.sql(name, question))

    def psql(self, name, *words, **variables):
        set_variables = [word for key, value in variables.items() for word in ["-v", f"{key}={value}"]]
        return output(
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", *set_variables, *words, self.url(name),
            PGOPTIONS="-c client_min_messages=warning")

    def processor_seconds(self):
        """The processor time of the server and all its processes, ended ones included."""
        used = ticks(self.process, with_children=True)[0]
        for process in os.listdir("/proc"):
            if process.isdigit():
                try:
                    own, parent = ticks(process)
                    used += own if parent == self.process else 0
                except OSError:
                    pass
        return used / TICKS

    def version(self):
        return "PostgreSQL " + self.sql("postgres", "SHOW server_version").split()[0]
