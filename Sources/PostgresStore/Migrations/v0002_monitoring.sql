-- What operators ask about model calls.

ALTER TABLE model_call
    -- The part of `cache_write_tokens` that the provider keeps for an hour; its price is another one.
    ADD COLUMN cache_write_1h_tokens bigint NOT NULL DEFAULT 0,
    -- The cost at the list price: nothing read from a cache or written to one, and not by batch. `NULL`: not known.
    ADD COLUMN list_micro_dollars bigint,
    -- What the tokens written to a cache cost beyond the price of input, in a call that is not by batch.
    ADD COLUMN write_micro_dollars bigint NOT NULL DEFAULT 0,
    ADD COLUMN prompt text,
    -- Whether a person waited for the call.
    ADD COLUMN interactive boolean NOT NULL DEFAULT false,
    -- The wait for the provider's budget.
    ADD COLUMN waited_ms bigint,
    ADD COLUMN first_byte_ms bigint,
    ADD COLUMN first_content_ms bigint,
    -- The longest pause between two contents.
    ADD COLUMN longest_gap_ms bigint,
    -- The prefixes that the call marked, as `CallMark.text` has them.
    ADD COLUMN cache_marks text;
