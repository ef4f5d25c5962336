-- An archive of chat histories on PostgreSQL 14 or later, in form 1. docs/shared-archive.md says why it is as it is.
-- `scrollback publish` makes these tables in a database that has none; `scrollback publish --schema` prints this file.

CREATE TABLE archive (form integer NOT NULL);
INSERT INTO archive VALUES (1);

-- The stores that are published here, each under its own name.
CREATE TABLE store (
  number integer PRIMARY KEY,
  name text NOT NULL UNIQUE,
  identity text NOT NULL,               -- what tells the store from others of the same name
  published text,                       -- the version of the store that all of it has reached here
  counted boolean NOT NULL DEFAULT true,  -- whether the counts of the whole store are those of its messages
  has_words boolean NOT NULL DEFAULT true,
  has_files boolean NOT NULL DEFAULT false,  -- whether the facts of attachments name files that were written with them
  written_at timestamptz NOT NULL DEFAULT now()  -- by the clock of the server, for people
);

-- Numbers of conversations and senders are store.number * 2^32 + their number in the store; that number itself, with 0
-- behind it, stands for the whole of a store in the tables of counts.
CREATE TABLE conversation (
  id bigint PRIMARY KEY,
  store integer NOT NULL,
  name text NOT NULL,
  own_name text NOT NULL,               -- its name in the store: another one here was given here, and stays
  direct boolean,
  published text                        -- where it has reached another version than the whole of its store
);
CREATE INDEX conversation_of_store ON conversation (store, name);

CREATE TABLE sender (
  id bigint PRIMARY KEY,
  store integer NOT NULL,
  name text NOT NULL,
  external text                         -- the id on the sender's platform
);
CREATE INDEX sender_of_store ON sender (store, name);

-- The key begins with the conversation: all that is read of one lies on one shard, in the order of time.
CREATE TABLE message (
  conversation bigint NOT NULL,
  id bigint NOT NULL,                   -- milliseconds since 1970 * 4096 + a place within the millisecond: its place, and its time unless details have another
  store integer NOT NULL,
  sender bigint,
  kind smallint NOT NULL,
  precision smallint NOT NULL,
  text text NOT NULL,                   -- what a page shows
  bytes bigint,                         -- the length of the whole text, where it goes on
  rest text,                            -- where it goes on
  reply_to bigint,
  thread bigint,
  revision integer NOT NULL,
  features integer NOT NULL,            -- 1 attachments, 2 a link, 4 edited, 8 reactions, 16 a reply, 256 a time of its own
  details jsonb,                        -- reactions, the facts of attachments, and a time of its own
  origin jsonb,                         -- texts before the present one, and where an import had it from
  digest bigint NOT NULL,               -- of all that was published of it
  words tsvector,                       -- folded by the publisher as the local search folds them
  PRIMARY KEY (conversation, id)
) PARTITION BY HASH (conversation);

CREATE TABLE message_0 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 0);
CREATE TABLE message_1 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 1);
CREATE TABLE message_2 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 2);
CREATE TABLE message_3 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 3);
CREATE TABLE message_4 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 4);
CREATE TABLE message_5 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 5);
CREATE TABLE message_6 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 6);
CREATE TABLE message_7 PARTITION OF message FOR VALUES WITH (MODULUS 8, REMAINDER 7);
-- With Citus: leave out PARTITION BY and the eight tables, and after this file
--   SELECT create_distributed_table('message', 'conversation');
--   SELECT create_reference_table(t) FROM unnest(ARRAY['archive', 'store', 'conversation', 'sender', 'former_id']::regclass[]) AS t;
--   SELECT create_distributed_table(t, 'conversation', colocate_with => 'message')
--     FROM unnest(ARRAY['tally', 'superblock', 'block', 'part']) AS t;

-- Counts, of a conversation and of a whole store. Versions are what only grows here.
CREATE TABLE tally (
  conversation bigint PRIMARY KEY,
  inserted bigint NOT NULL,
  deleted bigint NOT NULL,
  changed bigint NOT NULL
);

-- Blocks of neighbouring messages and super-blocks of blocks, from their first message to their last, and how many that are:
-- what lies before a message is a sum over super-blocks, over the blocks of one, and over the rows of one block.
CREATE TABLE superblock (
  conversation bigint, first_id bigint, last_id bigint NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (conversation, first_id)
);
CREATE TABLE block (
  conversation bigint, first_id bigint, last_id bigint NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (conversation, first_id)
);
-- The messages of a block that are of one sort: sender * 8 + 1, kind * 8 + 2, feature * 8 + 3.
CREATE TABLE part (
  conversation bigint, facet bigint, first_id bigint, last_id bigint NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (conversation, facet, first_id) INCLUDE (last_id, count)
);

-- The ids that messages had before they were moved: each leads to where its message is now.
CREATE TABLE former_id (
  store integer, id bigint, message bigint NOT NULL,
  PRIMARY KEY (store, id)
);
CREATE INDEX former_id_of_message ON former_id (store, message);

-- Made after the first load where `publish` makes the tables: until then only single conversations are found quickly.
CREATE INDEX message_in_time ON message (store, id);
CREATE INDEX message_by_sender ON message (sender, id) WHERE sender IS NOT NULL;
CREATE INDEX message_answering ON message (store, reply_to) WHERE reply_to IS NOT NULL;
CREATE INDEX message_in_thread ON message (store, thread) WHERE thread IS NOT NULL;
CREATE INDEX message_with_words ON message USING gin (words);
CREATE INDEX part_of_block ON part (conversation, first_id);
