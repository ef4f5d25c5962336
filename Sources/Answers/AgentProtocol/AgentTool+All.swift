internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import WordForms

extension AgentTool {
  /// In the order in which they are listed.
  static let all = [
    listConversations, listSenders, listPeople, answerQuestion, searchMessages, readMessages, readMessage,
    readAttachment, listDays, listShared, listThreads, listSessions, findFileChanges, findFailures,
    addUpUsage,
    readAnniversaries, countMessages, getStatistics,
  ]

  private static let listConversations = AgentTool(
    "list_conversations", "List conversations",
    """
    Lists the conversations by name, all or those that match 'named', each with the number of messages and the times of \
    the first and the last message.
    """,
    keys: [
      ("after", .text("The name after which to begin.")), ("limit", Self.limit),
      ("unread", .flag("Whether to count unread messages.")),
      ("newest", .flag("Whether to include the newest message's sender and beginning.")),
      ("named", Self.part),
      (
        "order",
        .word(
          "name (default); newest: latest message first; messages: most messages first.",
          of: ConversationOrder.allCases.map(\.rawValue))
      ),
    ],
    list: "conversations",
    call: asking(
      ConversationsQuestion(),
      then: "read_messages with \"conversations\":[NAME], or search_messages with in:NAME among the words"))

  private static let listSenders = AgentTool(
    "list_senders", "List senders",
    """
    Lists senders, most messages or latest message first: of all conversations or some, all or those that match 'named'.
    """,
    keys: [
      ("conversations", Self.conversations),
      (
        "after",
        .object(
          "The sender after which to begin.",
          [
            ("messages", .integer("", from: 0)), ("name", .text("")), ("senderID", .text("")),
            ("lastID", .text("")),
          ], needed: ["messages", "name"])
      ),
      ("limit", Self.limit), ("named", Self.likePart),
      (
        "order",
        .word(
          "messages (default); newest: latest message first, with its time in last.",
          of: SenderOrder.allCases.map(\.rawValue))
      ),
    ],
    list: "senders",
    call: asking(
      SendersQuestion(),
      then: "search_messages with from:NAME among the words, or count_messages with \"by\":\"month\""))

  private static let listPeople = AgentTool(
    "list_people", "List people",
    """
    Lists the people to whom the user has linked accounts, by name: person:NAME in a search finds what any of the accounts \
    wrote.
    """,
    keys: [
      ("after", .text("The name after which to begin.")), ("limit", Self.limit), ("named", Self.likePart),
    ],
    list: "people",
    call: asking(
      PeopleQuestion(),
      then: "read_messages with \"person\":NAME, or search_messages with person:NAME among the words"))

  private static let answerQuestion = AgentTool(
    "answer_question", "Find what answers a question",
    """
    Finds the exchanges that answer a question best, each a hit with the messages around it and the ids to read on from. Use it \
    first when you have a question or a topic in your own words: some words may be missing, rare ones count more, other \
    forms of a word count. Use search_messages instead for exact words or phrases, for the newest mention, or to find all. \
    Messages are as in search_messages.
    """,
    keys: [
      (
        "words",
        .text(
          """
          The question as a sentence, or its most important words; also from:NAME person:NAME in:CONVERSATION since:TIME \
          until:TIME on:TIME to restrict the search.
          """)
      ),
      ("conversations", Self.conversations), ("filter", Self.likeFilter),
      (
        "language",
        .word(
          "The language of the question; detected from its common words if left out.",
          of: WordLanguage.allCases.map(\.rawValue))
      ),
      ("limit", .integer("The most exchanges; 10 if left out.", from: 1)), ("timeZone", Self.likeZone),
      ("skip", .integer("How many exchanges to skip.", from: 0)),
      ("bytes", Self.likeBytes),
    ], needed: ["words"],
    list: "exchanges", isPortioned: true
  ) { arguments in
    ToolCall(try arguments.read(else: "no 'words' are there") as BestQuestion) { answer in
      guard let answer = answer as? BestAnswer, !answer.whole else { return nil }
      return """
        very frequent words were looked up only in the newest messages; for older ones add since: and until:, or in:, to the \
        words
        """
    }
  }

  private static let searchMessages = AgentTool(
    "search_messages", "Search messages",
    """
    Finds messages by words or by a regular expression, newest first, each with the messages around it. 'total' is the number \
    of hits, 'numbers' the number of each in its conversation (1 is the oldest); 'searchedTo' is where a search ended that \
    stopped early. All words must occur: use it for exact words, for the newest mention and to find all; \
    use answer_question when you have a question in your own words. \(Self.form)
    """,
    keys: [
      (
        "words",
        .text(
          """
          Words that must all occur; "a phrase", begin*, one OR other, -without; also from:NAME person:NAME in:CONVERSATION \
          since:TIME until:TIME on:TIME has:link kind:said regex:EXPRESSION. Accents and case of letters do \
          not matter; emoji and signs match exactly.
          """)
      ),
      ("regex", .text("A regular expression (PCRE2).")), ("conversations", Self.conversations),
      ("person", Self.person),
      ("filter", Self.filter), ("at", Self.likePlace),
      ("limit", .integer("The most hits; 10 if left out.", from: 1)),
      (
        "context",
        .integer(
          "How many messages to give before and after each hit; 2 if left out, at most 20.", from: 0)
      ),
      ("detail", Self.detail), ("counts", .flag("false if the total is not wanted.")),
      ("bytes", Self.bytes),
      ("timeZone", Self.zone),
    ], about: "Either words or regex.",
    list: "hits", isPortioned: true
  ) { arguments in
    var question: HitsQuestion = try arguments.read() ?? HitsQuestion()
    question.limit = question.limit ?? 10
    question.context = question.context ?? 2
    question.counts = question.counts ?? true
    return ToolCall(question) { ($0 as? HitsAnswer).flatMap(next(after:)) }
  }

  private static let readMessages = AgentTool(
    "read_messages", "Read messages",
    """
    Reads neighbouring messages, oldest first: around a message, a date, a number or a percentage, or from either end. \
    'firstNumber' and 'total' say where they lie. Messages are as in search_messages.
    """,
    keys: [
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("at", Self.place),
      ("order", .word("oldestFirst by default.", of: ["oldestFirst", "newestFirst"])),
      ("limit", Self.limit),
      ("offset", .integer("How many messages to skip first.", from: 0)),
      (
        "older",
        .integer(
          "For a place in the middle: how many messages before it; half if left out.", from: 0)
      ),
      ("counts", .flag("false if numbers and totals are not wanted.")), ("detail", Self.likeDetail),
      ("bytes", Self.likeBytes),
      ("timeZone", Self.likeZone),
    ],
    list: "messages", isPortioned: true,
    call: asking(PageQuestion()))

  private static let readMessage = AgentTool(
    "read_message", "Read one message",
    "Reads one message with all that is known of it. A long text comes in parts.",
    keys: [
      ("id", .text("The id of the message.")),
      ("textFrom", .integer("The byte to begin at.", from: 0)),
    ], needed: ["id"]
  ) { arguments in
    let part: MessagePart = try arguments.read(else: "no 'id' is there")
    return ToolCall(MessageQuestion(id: part.id), textStart: part.textFrom ?? 0)
  }

  private static let readAttachment = AgentTool(
    "read_attachment", "Read what is attached",
    """
    Reads a file that is attached to a message: its text, in parts if it is long, or the picture, reduced if it is large. \
    Messages with files are found by has:attachment in a search, and by list_shared.
    """,
    keys: [
      ("id", .text("The id of the message.")),
      ("index", .integer("Which of its files; 0, the first, if left out.", from: 0)),
      ("textFrom", .integer("The byte to begin at.", from: 0)),
    ], needed: ["id"]
  ) { arguments in
    let place: AttachmentPlace = try arguments.read(else: "no 'id' is there")
    return ToolCall(MessageQuestion(id: place.id), attachment: place)
  }

  private static let listDays = AgentTool(
    "list_days", "List days or months",
    "Lists the days or months that hold messages, with how many each holds and the id of its first.",
    keys: [
      ("conversation", Self.conversation), ("person", Self.likePerson),
      ("by", .word("day by default.", of: ["day", "month"])),
      ("timeZone", Self.likeZone),
      ("from", .text("The id at which to continue.")),
      ("limit", Self.limit),
    ],
    list: "days",
    call: asking(DaysQuestion()))

  private static let listShared = AgentTool(
    "list_shared", "List links and files",
    """
    Lists links, attached files or pictures, newest first, each with its message, sender and conversation and the line of \
    text beside it.
    """,
    keys: [
      ("sort", .word("links by default.", of: SharedSort.allCases.map(\.rawValue))),
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("before", Self.before),
      ("limit", Self.limit), ("timeZone", Self.likeZone),
    ],
    list: "shared",
    call: asking(
      SharedQuestion(),
      then: "read_attachment with the id and index of a file, or read_messages with \"at\":{\"around\":ID}"))

  private static let listThreads = AgentTool(
    "list_threads", "List threads",
    """
    Lists threads, newest replies first, each with who began it, its first words, and the number of replies. To read a \
    whole thread, use 'thread:ID' in a search or the key 'thread' of a filter.
    """,
    keys: [
      ("conversations", Self.conversations),
      ("before", Self.before),
      ("limit", Self.limit),
    ],
    list: "threads",
    call: asking(
      ThreadsQuestion(),
      then: "read_messages with \"filter\":{\"thread\":ID}"))

  private static let listSessions = AgentTool(
    "list_sessions", "List sessions of assistants",
    """
    Lists sessions of programs that answer (Claude Code, Codex …), newest first, each with its project, branch, models, first \
    question, duration, tokens, tools, files and failures. The name of its conversation is what read_messages takes.
    """,
    keys: [
      ("words", Self.sessionWords), ("before", Self.before), ("limit", Self.limit),
      ("timeZone", Self.likeZone),
    ],
    list: "sessions",
    call: asking(
      SessionsQuestion(),
      then: "read_messages with \"conversations\":[CONVERSATION]"))

  private static let findFileChanges = AgentTool(
    "find_file_changes", "Find who changed a file",
    """
    Finds the calls of assistants that last wrote some lines of a file or, without lines, the sessions that changed it: use it \
    before you change them again. 'found' is text if a call wrote the lines, else file.
    """,
    keys: [
      ("file", .text("The path, or its end.")),
      ("lines", .list("The texts of neighbouring lines as they are now.", of: .text(""))),
      ("firstLine", .integer("The number of the first of them.", from: 1)),
      ("words", Self.likeSessionWords), ("before", Self.likeBefore), ("limit", Self.limit),
      ("timeZone", Self.likeZone),
    ], needed: ["file"],
    list: "changes"
  ) { arguments in
    ToolCall(try arguments.read(else: "no 'file' is there") as FileChangesQuestion) { _ in aroundStep }
  }

  private static let findFailures = AgentTool(
    "find_failures", "Find an error in sessions",
    """
    Finds sessions of assistants in which an error came, with the steps that followed, up to the next result of the tool that \
    did not fail ('resolved'): use it when a call fails, before you try again. Numbers and paths in the error do not matter.
    """,
    keys: [
      ("error", .text("The text of the error.")), ("words", Self.likeSessionWords),
      ("before", Self.likeBefore), ("limit", Self.limit), ("timeZone", Self.likeZone),
    ], needed: ["error"],
    list: "failures"
  ) { arguments in
    ToolCall(try arguments.read(else: "no 'error' is there") as FailuresQuestion) { _ in aroundStep }
  }

  private static let aroundStep = "read_message with an id, or read_messages with \"at\":{\"around\":ID}"

  private static let addUpUsage = AgentTool(
    "add_up_usage", "Add up tokens and cost",
    "Adds up tokens and dollars of assistants' sessions.",
    keys: [
      ("by", .word("day by default.", of: UsageGrouping.allCases.map(\.rawValue))),
      ("words", .asIn("list_sessions", .text(""))), ("limit", Self.limit), ("timeZone", Self.likeZone),
    ],
    list: "groups",
    call: asking(UsageQuestion(), then: "list_sessions with the same words"))

  private static let readAnniversaries = AgentTool(
    "read_anniversaries", "Read this day in earlier years",
    """
    Reads what was written on one day of the calendar, today if none is named, in each earlier year: the first messages of \
    each, and how many there are.
    """,
    keys: [
      ("day", .text("The day, as 'may 1'; its year does not matter. Today if left out.")),
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("timeZone", Self.likeZone),
      ("limit", .integer("The most messages of each year.", from: 1)),
    ],
    list: "years",
    call: asking(AnniversariesQuestion()))

  private static let countMessages = AgentTool(
    "count_messages", "Count messages by something",
    """
    Counts messages, all or those that match a filter, by year, month, day, weekday, hour, sender, person, conversation or \
    kind.
    """,
    keys: [
      ("by", .word("month by default.", of: MessageGrouping.allCases.map(\.rawValue))),
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("timeZone", Self.likeZone),
      ("from", .text("The id at which to continue.")),
      ("limit", Self.limit),
    ],
    list: "groups",
    call: asking(GroupsQuestion()))

  private static let getStatistics = AgentTool(
    "get_statistics", "Count messages",
    "Counts messages, senders, attachments, links, replies and edits: of the whole history or of some conversations.",
    keys: [
      ("conversations", Self.conversations),
      (
        "sizes",
        .flag("Whether to include the sizes of the store's parts on disk, which reads all of it.")
      ),
    ],
    call: asking(StatisticsQuestion()))

  /// Returns a reader of calls whose arguments are the keys of a question, `usual` without arguments.
  private static func asking<Question: ServedQuestion>(
    _ usual: Question, then: String? = nil
  ) -> @Sendable (ToolArguments) throws -> ToolCall {
    { arguments in ToolCall(try arguments.read() ?? usual) { _ in then } }
  }

  private struct MessagePart: Decodable {
    var id: Message.ID
    var textFrom: Int?
  }

  private static func next(after found: HitsAnswer) -> String? {
    if found.hits.isEmpty && found.next == nil && found.total == nil {
      return "nothing: all texts in this direction were searched"
    }
    guard found.searchedTo != nil else { return nil }
    return "the same with the arguments of 'more', since the search stopped at 'searchedTo'"
  }

  private static let form = """
    Each message is [time in UTC, sender, text, more]. An empty time or sender is the same as in the message before; a time \
    without a day is on the same day; more, if present, has the id and other facts.
    """
  private static let limit = JSONSchema.integer("", from: 1)
  private static let bytes = JSONSchema.integer(
    "The approximate size of the answer; \(AgentAnswers.usualByteCount) if left out.", from: 1)
  private static let part = JSONSchema.text(
    "A part of the name, or a pattern for all of it with * and ?; case does not matter.")
  private static let likePart = JSONSchema.asIn("list_conversations", part)
  private static let zone = JSONSchema.text(
    "The zone of times and days, as Europe/Berlin or +05:30; else UTC.")
  private static let conversation = JSONSchema.name("A conversation by its name or its id.")
  private static let conversations = JSONSchema.list("Names or ids; all if left out.", of: .name(""))
  private static let person = JSONSchema.text(
    """
    A name from list_people: direct conversations of the user with this person, and what this person wrote elsewhere.
    """)
  private static let before = JSONSchema.text("The id before which to continue.")
  private static let likeBefore = JSONSchema.asIn("list_sessions", before)
  private static let sessionWords = JSONSchema.text(
    """
    Words of titles and first questions, and terms, all of which must hold: project:PART branch:PART model:PART tool:NAME \
    file:PATH is:failed since:TIME until:TIME. All sessions if left out.
    """)
  private static let likeSessionWords = JSONSchema.asIn("list_sessions", sessionWords)
  private static let likePerson = JSONSchema.asIn("search_messages", person)
  private static let likeZone = JSONSchema.asIn("search_messages", zone)
  private static let likeBytes = JSONSchema.asIn("search_messages", bytes)
  private static let likeDetail = JSONSchema.asIn("search_messages", detail)
  private static let likeFilter = JSONSchema.asIn("search_messages", filter)
  private static let likePlace = JSONSchema.asIn("read_messages", place)
  private static let detail = JSONSchema.word(
    "line: a list for each message, long texts cut; whole: objects with all that is known, ids included.",
    of: ["line", "whole"])
  private static let time =
    "a time: 2017-10-03T14:30:00Z, 2017-10-03, 2017-10, march 2017, yesterday, 3 weeks ago"

  private static let place = JSONSchema.either(
    "Where to begin; the newest end if left out.",
    [
      .word("", of: ["newest", "oldest", "unread"]),
      .object(
        "One of these keys; before, after and around take the id of a message.",
        [
          ("before", .text("")), ("after", .text("")), ("around", .text("")),
          ("time", .text("The first message at or after a time, written as for filter.since.")),
          ("number", .integer("The number of a message, 1 being the oldest.", from: 1)),
          ("percent", .number("The position between the oldest, 0, and the newest, 100.")),
        ], takesOneKey: true),
    ])

  private static let filter = JSONSchema.object(
    "Which messages; all conditions must hold.",
    [
      ("senders", .list("Senders, any of which; ali* is all names that begin with ali.", of: .text(""))),
      ("kinds", .list("Kinds, any of which.", of: .word("", of: Message.Kind.allCases.map(\.name)))),
      ("textOnly", .flag("true for what people said and did, without joins, quits and the like.")),
      ("has", .list("What it has.", of: .word("", of: ["attachment", "link", "reply", "edit"]))),
      ("since", .text("At or after \(time).")), ("until", .text("Before a time.")),
      ("thread", .text("The id of any message of a thread.")),
      ("matching", .text("Words as in a search.")), ("regex", .text("A regular expression.")),
      ("saved", .list("Names of saved filters.", of: .text(""))),
    ])
}
