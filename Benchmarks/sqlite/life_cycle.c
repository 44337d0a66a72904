/* What SQLite itself can do with the statements of a job's life: the queries of the store, read from their files, in the
   order in which the store runs them, by so many jobs a transaction, without anything around them.

   raw_sqlite DATABASE QUERIES JOBS BATCH, on a database that `dossier migrate` made; prints life cycles a second. */
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { USERS = 1000 };

static sqlite3 *database;
static const char *folder;
static int64_t now;

static void fail(const char *what) {
    fprintf(stderr, "raw_sqlite: %s: %s\n", what, database ? sqlite3_errmsg(database) : "");
    exit(1);
}

static void execute(const char *sql) {
    if (sqlite3_exec(database, sql, 0, 0, 0) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(const char *name) {
    char path[1024], sql[8192];
    snprintf(path, sizeof path, "%s/%s.sql", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    size_t length = fread(sql, 1, sizeof sql - 1, file);
    fclose(file);
    sql[length] = 0;
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, (int)length, SQLITE_PREPARE_PERSISTENT, &statement, 0) != SQLITE_OK) fail(name);
    return statement;
}

/* Runs the query of a file, which is prepared once. `kinds` says what follows: i (int64_t), t (text), b (16 bytes),
   n (nothing: NULL). Returns the first column of the first row as a number, or -1. */
#define RUN(name, ...) ({ static sqlite3_stmt *kept; if (!kept) kept = prepare(name); run(kept, __VA_ARGS__); })

static int64_t run(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list values;
    va_start(values, kinds);
    for (int place = 1; kinds[place - 1]; place++) {
        switch (kinds[place - 1]) {
        case 'i': sqlite3_bind_int64(statement, place, va_arg(values, int64_t)); break;
        case 't': sqlite3_bind_text(statement, place, va_arg(values, const char *), -1, SQLITE_STATIC); break;
        case 'b': sqlite3_bind_blob(statement, place, va_arg(values, const void *), 16, SQLITE_STATIC); break;
        default: sqlite3_bind_null(statement, place);
        }
    }
    va_end(values);
    int64_t first = -1;
    int code, rows = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        if (rows++ == 0) first = sqlite3_column_int64(statement, 0);
    if (code != SQLITE_DONE) fail(sqlite3_sql(statement));
    sqlite3_reset(statement);
    return first;
}

struct job {
    unsigned char id[16];
    int64_t user, number, hold;
};

static void submit(struct job *job, int64_t user) {
    static int64_t made;
    if (getrandom(job->id, 16, 0) != 16) fail("no random bytes");
    int64_t stamp = now + made++;
    for (int i = 0; i < 6; i++) job->id[i] = (unsigned char)(stamp >> (40 - 8 * i));
    job->user = user;
    RUN("submit_same_id", "b", job->id);
    RUN("balance_get", "i", user);
    RUN("ledger_insert", "itibnni", user, "hold", (int64_t)1, job->id, now);
    job->hold = sqlite3_last_insert_rowid(database);
    RUN("balance_hold", "ii", user, (int64_t)1);
    RUN("job_insert", "bitttiiinnnnniiiiini", job->id, user, "research", "b", "background", (int64_t)0, (int64_t)1,
        (int64_t)1, now, (int64_t)600000, now + 600000, (int64_t)0, (int64_t)0, job->hold);
    job->number = sqlite3_last_insert_rowid(database);
    RUN("job_input_insert", "it", job->number, "{\"ticker\":\"AAPL\"}");
    RUN("turn_take", "ti", "background", user);
    RUN("ready_enter_next", "tiii", "background", user, job->number, (int64_t)0);
}

/* In the order of submission, which is the order of the slots here. */
static void claim(struct job *job, int64_t worker) {
    static sqlite3_stmt *first;
    if (!first) first = prepare("ready_first");
    sqlite3_bind_text(first, 1, "background", -1, SQLITE_STATIC);
    if (sqlite3_step(first) != SQLITE_ROW) fail("nothing is ready");
    int64_t rank = sqlite3_column_int64(first, 0), number = sqlite3_column_int64(first, 1);
    int64_t user = sqlite3_column_int64(first, 2);
    sqlite3_reset(first);
    if (number != job->number) fail("another job stands first");
    RUN("ready_best", "ti", "background", user);
    RUN("ready_delete", "tii", "background", rank, number);
    RUN("lease_insert", "ii", worker, number);
    RUN("job_claim", "iii", number, worker, now);
    RUN("job_claimed", "i", number);
    RUN("lane_advance", "ti", "background", rank);
}

static void complete(struct job *job, int64_t worker) {
    RUN("job_fence_by_id", "b", job->id);
    RUN("lease_delete", "ii", worker, job->number);
    RUN("job_result_insert", "it", job->number, "{}");
    RUN("job_complete", "ii", job->number, now);
    RUN("ledger_insert", "itibini", job->user, "settle", (int64_t)1, job->id, job->hold, now);
    RUN("balance_settle", "ii", job->user, (int64_t)1);
}

static void begin(void) { execute("BEGIN IMMEDIATE"); }

static void commit(void) {
    RUN("pulse_bump", "ii", (int64_t)1, (int64_t)1);
    execute("COMMIT");
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: raw_sqlite DATABASE QUERIES JOBS BATCH\n");
        return 2;
    }
    folder = words[2];
    int jobs = atoi(words[3]), batch = atoi(words[4]);
    struct timespec start, end;
    clock_gettime(CLOCK_REALTIME, &start);
    now = (int64_t)start.tv_sec * 1000;
    if (sqlite3_open_v2(words[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, 0) != SQLITE_OK) fail("open");
    execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768");
    sqlite3_wal_autocheckpoint(database, 4000);
    struct job *batched = calloc((size_t)batch, sizeof *batched);
    begin();
    for (int64_t user = 0; user < USERS; user++) {
        RUN("balance_open", "ii", user, (int64_t)jobs);
        RUN("ledger_insert", "itinnni", user, "grant", (int64_t)jobs, now);
    }
    RUN("worker_register", "ttiii", "raw", "here", (int64_t)1, (int64_t)1000, now);
    int64_t worker = RUN("worker_number", "t", "raw");
    commit();
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int done = 0; done < jobs; done += batch) {
        begin();
        for (int i = 0; i < batch; i++) submit(&batched[i], (done + i) % USERS);
        commit();
        begin();
        RUN("worker_number", "t", "raw");
        RUN("schedule_due", "ii", now, (int64_t)1000);
        for (int i = 0; i < batch; i++) claim(&batched[i], worker);
        RUN("schedule_next", "");
        commit();
        begin();
        for (int i = 0; i < batch; i++) RUN("job_report", "biit", batched[i].id, (int64_t)1, (int64_t)30, "draft");
        commit();
        for (int step = 0; step < 2; step++) {
            begin();
            for (int i = 0; i < batch; i++) {
                RUN("job_fence_by_id", "b", batched[i].id);
                RUN("step_insert", "ititt", batched[i].number, step ? "draft" : "gather", (int64_t)0, "h", "{}");
            }
            commit();
        }
        begin();
        for (int i = 0; i < batch; i++) complete(&batched[i], worker);
        commit();
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("{\"name\":\"raw_life_cycle\",\"count\":%d,\"batch\":%d,\"per_second\":%.1f}\n", jobs, batch, jobs / seconds);
    return 0;
}
