"""What a fleet of many workers costs PostgreSQL: their heartbeats, and notices to all that listen."""
import os
import selectors
import socket
import struct
import threading
import time

from . import raw
from .processes import HERE

SIZES = [10, 100, 1000, 5000]
LISTENERS = [0, 10, 100, 1000]
BEATS, LOOKS, NOTICES = 4000, 500, 200
# A worker beats each one and a half seconds, and one observer each half second looks at all workers.
PAUSE, LOOK = 1.5, 0.5


def fleet(results, database, arguments):
    """Heartbeats by four connections, as many as are sent, and looks at all; then notices beside sessions that listen."""
    if database.name == "sqlite":
        return
    for workers in SIZES:
        raw.prepare(database)
        names = {"workers": workers, "machines": max(workers // 50, 1)}
        database.psql("raw", "-f", os.path.join(HERE, "postgres", "beating.sql"), **names)
        beats = observe(database, BEATS, raw.CLIENTS, turn=1000, **names)
        looks = observe(database, LOOKS, 1, turn=0, **names)
        results.add(
            "fleet", f"{workers}_workers", database, beat_us=round(beats), look_us=round(looks),
            cores=round((beats * workers / PAUSE + looks / LOOK) / 1e6, 3))
    for count in LISTENERS:
        with Listeners(database, count) as listeners:
            used, elapsed = timed(database, lambda: raw.pgbench(database, "notify.sql", NOTICES, 1))
            results.add(
                "fleet", f"{count}_listeners", database, per_second=round(NOTICES / elapsed),
                database_us=round(used / NOTICES * 1e6), received=listeners.received)


def observe(database, count, clients, **names):
    """The microseconds of the database's processors for a heartbeat."""
    variables = [word for name, value in names.items() for word in ["-D", f"{name}={value}"]]
    used, _ = timed(
        database, lambda: raw.pgbench(database, "observe.sql", count // clients, clients, *variables))
    return used / count * 1e6


def timed(database, work):
    """The seconds of the database's processors, and those that passed."""
    before, start = database.processor_seconds(), time.time()
    work()
    elapsed = time.time() - start
    # The sessions that listen take what is left to take.
    time.sleep(1)
    return database.processor_seconds() - before, elapsed


class Listeners:
    """Sessions that listen as a store's do, over PostgreSQL's own protocol."""

    def __init__(self, database, count):
        self.port, self.count, self.received, self.sockets, self.ends = database.port, count, 0, [], False

    def __enter__(self):
        for _ in range(self.count):
            connection = socket.create_connection(("127.0.0.1", self.port))
            words = b"user\0postgres\0database\0raw\0\0"
            connection.sendall(struct.pack("!ii", 8 + len(words), 196608) + words)
            self.until_ready(connection)
            text = b"LISTEN dossier\0"
            connection.sendall(b"Q" + struct.pack("!i", 4 + len(text)) + text)
            self.until_ready(connection)
            self.sockets.append(connection)
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ends = True
        self.thread.join()
        for connection in self.sockets:
            connection.close()

    @staticmethod
    def until_ready(connection):
        while True:
            head = Listeners.exactly(connection, 5)
            kind, length = head[:1], struct.unpack("!i", head[1:])[0]
            body = Listeners.exactly(connection, length - 4)
            if kind == b"E":
                raise SystemExit(f"a session cannot listen: {body!r}")
            if kind == b"Z":
                return

    @staticmethod
    def exactly(connection, length):
        data = b""
        while len(data) < length:
            more = connection.recv(length - len(data))
            if not more:
                raise SystemExit("the server closed a session that listens")
            data += more
        return data

    def read(self):
        """Counts the notices that arrive."""
        selector = selectors.DefaultSelector()
        for connection in self.sockets:
            selector.register(connection, selectors.EVENT_READ)
        while not self.ends:
            for key, _ in selector.select(0.2):
                self.received += key.fileobj.recv(65536).count(b"dossier\0")
