-- Stores an article, or adds the fields that were unknown to the stored one and keeps the longer text. Only a caller
-- that knows the stored name of the publication replaces it, and never by an empty one.
CREATE OR REPLACE FUNCTION record_article(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    v_number bigint;
BEGIN
    INSERT INTO article AS a (
        id, url, title, description, source, author, image, language, category, published_at, fetched_at, day,
        fingerprint, fingerprint_words, duplicate_of
    )
    VALUES (
        p_body ->> 'id', p_body ->> 'url', p_body ->> 'title', p_body ->> 'description', p_body ->> 'source',
        p_body ->> 'author', p_body ->> 'image', p_body ->> 'language', p_body ->> 'category',
        (p_body ->> 'published_at')::bigint, (p_body ->> 'fetched_at')::bigint, p_body ->> 'day',
        (p_body -> 'fingerprint' ->> 'bits')::bigint, (p_body -> 'fingerprint' ->> 'words')::bigint,
        p_body ->> 'duplicate_of'
    )
    ON CONFLICT (id) DO UPDATE SET
        source = CASE WHEN excluded.source = '' THEN a.source ELSE excluded.source END,
        author = coalesce(a.author, excluded.author), image = coalesce(a.image, excluded.image),
        language = coalesce(a.language, excluded.language), category = coalesce(a.category, excluded.category)
    RETURNING a.number INTO v_number;
    INSERT INTO article_text (article, text)
    SELECT v_number, p_body ->> 'text' WHERE p_body ->> 'text' IS NOT NULL
    ON CONFLICT (article) DO UPDATE SET text = excluded.text WHERE length(excluded.text) > length(article_text.text);
    INSERT INTO article_ticker (ticker, article)
    SELECT DISTINCT value, v_number FROM jsonb_array_elements_text(p_body -> 'tickers')
    ON CONFLICT DO NOTHING;
END
$$;

-- Stores the vector of an article unless it has one.
CREATE OR REPLACE FUNCTION record_article_vector(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO article_vector (article, model, components)
    SELECT number, p_body ->> 'model', p_body ->> 'components' FROM article WHERE id = p_body ->> 'article'
    ON CONFLICT DO NOTHING
$$;

-- Stores a story as it now is, and moves the articles and list entries of absorbed stories to it.
CREATE OR REPLACE FUNCTION record_story(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
    v_number bigint;
    v_stories bigint[];
    v_shown text[];
BEGIN
    INSERT INTO story (key, day, title, impact, confidence, tickers, created_at, updated_at)
    VALUES (
        p_body ->> 'key', p_body ->> 'day', p_body ->> 'title',
        array_position(ARRAY['Very Low', 'Low', 'Moderate', 'High'], p_body ->> 'impact') - 1,
        p_body ->> 'confidence', p_body -> 'tickers', (p_body ->> 'created_at')::bigint,
        (p_body ->> 'updated_at')::bigint
    )
    ON CONFLICT (key) DO UPDATE SET
        title = excluded.title, impact = excluded.impact, confidence = excluded.confidence,
        tickers = excluded.tickers, updated_at = excluded.updated_at, merged_into = NULL
    RETURNING number INTO v_number;
    UPDATE story SET merged_into = v_number
    WHERE key IN (SELECT value FROM jsonb_array_elements_text(p_body -> 'absorbed')) AND number <> v_number;
    v_stories := v_number || ARRAY(SELECT number FROM story WHERE merged_into = v_number);
    DELETE FROM story_member WHERE story = ANY (v_stories);
    INSERT INTO story_member (article, story, url, similarity, added_at, place)
    SELECT
        m.value ->> 'article', v_number, m.value ->> 'url', (m.value ->> 'similarity')::bigint,
        (m.value ->> 'added_at')::bigint, m.ordinality
    FROM jsonb_array_elements(p_body -> 'members') WITH ORDINALITY AS m
    ON CONFLICT (article) DO UPDATE SET
        story = excluded.story, url = excluded.url, similarity = excluded.similarity, added_at = excluded.added_at,
        place = excluded.place;
    -- The group for all users has no ticker; each subject has a group of its own.
    v_shown := ARRAY[''] || ARRAY(
        SELECT t.value ->> 'symbol' FROM jsonb_array_elements(p_body -> 'tickers') WITH ORDINALITY AS t
        WHERE (t.value ->> 'is_subject')::boolean ORDER BY t.ordinality
    );
    UPDATE story_group SET is_shown = story = v_number AND ticker = ANY (v_shown)
    WHERE story = ANY (v_stories) AND is_shown <> (story = v_number AND ticker = ANY (v_shown));
    INSERT INTO story_group (story, ticker, day)
    SELECT v_number, s.ticker, p_body ->> 'day'
    FROM unnest(v_shown) WITH ORDINALITY AS s (ticker, place)
    WHERE NOT EXISTS (SELECT FROM story_group AS g WHERE g.story = v_number AND g.ticker = s.ticker)
    ORDER BY s.place
    ON CONFLICT DO NOTHING;
END
$$;

-- Stores the impact of a story as a model judged it.
CREATE OR REPLACE FUNCTION record_story_impact(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    UPDATE story SET
        rated_impact = array_position(ARRAY['Very Low', 'Low', 'Moderate', 'High'], p_body ->> 'impact') - 1,
        rated_articles = (p_body ->> 'articles')::bigint
    WHERE key = p_body ->> 'story'
$$;

-- Stores the state of a news source.
CREATE OR REPLACE FUNCTION record_news_source(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    INSERT INTO news_source (source, etag, last_modified, asked_at, failures, problem)
    VALUES (
        p_body ->> 'source', p_body ->> 'etag', p_body ->> 'last_modified', (p_body ->> 'asked_at')::bigint,
        (p_body ->> 'failures')::bigint, p_body ->> 'problem'
    )
    ON CONFLICT (source) DO UPDATE SET
        etag = excluded.etag, last_modified = excluded.last_modified, asked_at = excluded.asked_at,
        failures = excluded.failures, problem = excluded.problem
$$;

-- Deletes articles and stories of a certain age, up to a limit.
CREATE OR REPLACE FUNCTION record_news_retention(p_body jsonb, p_job uuid, p_user bigint, p_now bigint) RETURNS void
LANGUAGE sql
AS $$
    DELETE FROM article
    WHERE number IN (
        SELECT number FROM article
        WHERE fetched_at < (p_body ->> 'arrived_before')::bigint
        ORDER BY fetched_at LIMIT (p_body ->> 'limit')::bigint
    );
    DELETE FROM story
    WHERE number IN (
        SELECT number FROM story
        WHERE day < p_body ->> 'stories_before' ORDER BY day LIMIT (p_body ->> 'limit')::bigint
    )
$$;
