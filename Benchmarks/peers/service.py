"""The same service on FastAPI and uvicorn: POST a job, poll its status. DATABASE is the address of its database.

It checks the input by its model and has no limits, no counts and no log: the least possible work.
"""
import asyncio
import os
import uuid
from contextlib import asynccontextmanager
from typing import Literal

import aiosqlite
import asyncpg
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, Field

DATABASE = os.environ["DATABASE"]
TABLE = """CREATE TABLE IF NOT EXISTS job (
    id text PRIMARY KEY, user_id text NOT NULL, kind text NOT NULL, input text NOT NULL, status text NOT NULL,
    progress integer NOT NULL, current_step text, created_at text NOT NULL DEFAULT CURRENT_TIMESTAMP)"""


class Input(BaseModel):
    ticker: str = Field(pattern=r"^[A-Za-z]{1,5}([.-][A-Za-z])?$")
    persona: str = Field(min_length=1, max_length=40)


class NewJob(BaseModel):
    kind: Literal["research"]
    input: Input


class PostgresJobs:
    async def open(self):
        self.pool = await asyncpg.create_pool(DATABASE, min_size=8, max_size=8)
        # Processes that start together would both create the table.
        await self.pool.execute("SELECT pg_advisory_xact_lock(1); " + TABLE)

    async def insert(self, *values):
        await self.pool.execute("INSERT INTO job VALUES ($1, $2, $3, $4, 'pending', 0)", *values)

    async def find(self, id, user):
        return await self.pool.fetchrow(
            "SELECT id, kind, status, progress, current_step FROM job WHERE id = $1 AND user_id = $2", id, user)


class SQLiteJobs:
    async def open(self):
        self.database = await aiosqlite.connect(DATABASE)
        self.database.row_factory = aiosqlite.Row
        await self.database.execute("PRAGMA journal_mode = WAL")
        await self.database.execute("PRAGMA synchronous = FULL")
        await self.database.execute(TABLE)
        self.turn = asyncio.Lock()

    async def insert(self, *values):
        async with self.turn:
            await self.database.execute(
                "INSERT INTO job (id, user_id, kind, input, status, progress) VALUES (?, ?, ?, ?, 'pending', 0)", values)
            await self.database.commit()

    async def find(self, id, user):
        rows = await self.database.execute_fetchall(
            "SELECT id, kind, status, progress, current_step FROM job WHERE id = ? AND user_id = ?", (id, user))
        return next(iter(rows), None)


jobs = PostgresJobs() if DATABASE.startswith("postgres") else SQLiteJobs()


@asynccontextmanager
async def lifespan(_):
    await jobs.open()
    yield


app = FastAPI(lifespan=lifespan)


@app.get("/health")
async def health():
    return {}


@app.post("/api/v1/jobs", status_code=202)
async def submit(job: NewJob, x_user_id: str = Header()):
    id = str(uuid.uuid4())
    await jobs.insert(id, x_user_id, job.kind, job.input.model_dump_json())
    return {"success": True, "data": {"id": id, "status": "pending"}}


@app.get("/api/v1/jobs/{id}")
async def poll(id: str, x_user_id: str = Header()):
    row = await jobs.find(id, x_user_id)
    if row is None:
        raise HTTPException(404)
    return {"success": True, "data": dict(row)}
