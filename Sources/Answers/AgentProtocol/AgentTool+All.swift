internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import WordForms

extension AgentTool {
  /// In the order in which they are listed.
  static let all = [
    listConversations, listSenders, listPeople, answerQuestion, searchMessages, readMessages, readMessage,
    readAttachment, listDays, listShared, listThreads, listSessions, readAnniversaries, countMessages,
    getStatistics,
  ]

  private static let listConversations = AgentTool(
    "list_conversations", "List conversations",
    """
    Lists the conversations by name, all or those with a part of it, with how many messages each holds and when its first \
    and last were written.
    """,
    keys: [
      ("after", .text("The name after which to begin.")), ("limit", Self.limit),
      ("unread", .flag("Whether to count unread messages.")),
      ("newest", .flag("Whether to say who wrote the newest message, and the beginning of its text.")),
      ("named", Self.part),
      (
        "order",
        .word(
          "name is usual; newest is by the newest message, messages by how many there are.",
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
    Lists who wrote, those with the most messages or those who wrote last first: in all conversations or in some, everybody \
    or those with a part of a name.
    """,
    keys: [
      ("conversations", Self.conversations),
      (
        "after",
        .object(
          "The sender to go on after.",
          [
            ("messages", .integer("", from: 0)), ("name", .text("")), ("senderID", .text("")),
            ("lastID", .text("")),
          ], needed: ["messages", "name"])
      ),
      ("limit", Self.limit), ("named", Self.likePart),
      (
        "order",
        .word(
          "messages is usual; newest is by the newest message, whose time is then in last.",
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
    Lists the people whom the user has made of several senders, by name, each with their accounts: person:NAME in a search \
    finds what any of these wrote.
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
          until:TIME on:TIME to narrow where the answer stands.
          """)
      ),
      ("conversations", Self.conversations), ("filter", Self.likeFilter),
      (
        "language",
        .word(
          "The language of the question, if it is not to be guessed from its common words.",
          of: WordLanguage.allCases.map(\.rawValue))
      ),
      ("limit", .integer("The most exchanges; 10 if left out.", from: 1)), ("timeZone", Self.likeZone),
      ("skip", .integer("How many exchanges to pass over, to go on.", from: 0)),
      ("bytes", Self.likeBytes),
    ], needed: ["words"],
    list: "exchanges", isPortioned: true
  ) { arguments in
    ToolCall(try arguments.read(else: "no 'words' are there") as BestQuestion) { answer in
      guard let answer = answer as? BestAnswer, !answer.whole else { return nil }
      return """
        if it is older: the same with since: and until: or in: among the words; of words that very many messages have, the \
        newest alone were looked at
        """
    }
  }

  private static let searchMessages = AgentTool(
    "search_messages", "Search messages",
    """
    Finds messages by words or by a regular expression, newest first, each with the messages around it. 'total' says \
    how many there are, 'numbers' which number each hit has in its conversation (1 is the oldest), 'searchedTo' how far back a \
    search looked that stopped early. All words must be there: use it for exact words, for the newest mention and to find all; \
    use answer_question when you have a question in your own words. \(Self.form)
    """,
    keys: [
      (
        "words",
        .text(
          """
          Words that must all be there; "a phrase", begin*, one OR other, -without; also from:NAME person:NAME in:CONVERSATION \
          since:TIME until:TIME on:TIME has:link kind:said regex:EXPRESSION. Letters match without accents and case, emoji \
          and signs as they stand.
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
      ("order", .word("oldestFirst is usual.", of: ["oldestFirst", "newestFirst"])),
      ("limit", Self.limit),
      ("offset", .integer("How many messages to skip first.", from: 0)),
      (
        "older",
        .integer(
          "At a place within: how many messages to take from before it; else half of them.", from: 0)
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
    Reads a file that is attached to a message: its text, in parts if it is long, or the picture, smaller where it is large. \
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
      ("by", .word("day is usual.", of: ["day", "month"])),
      ("timeZone", Self.likeZone),
      ("from", .text("The id to go on from.")),
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
      ("sort", .word("links is usual.", of: SharedSort.allCases.map(\.rawValue))),
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("before", .text("The id to go on before.")),
      ("limit", Self.limit), ("timeZone", Self.likeZone),
    ],
    list: "shared",
    call: asking(
      SharedQuestion(),
      then: "read_attachment with the id and index of a file, or read_messages with \"at\":{\"around\":ID}"))

  private static let listThreads = AgentTool(
    "list_threads", "List threads",
    """
    Lists threads, those with the newest answers first, each with who began it, its first words, and how many answers it \
    has. 'thread:ID' in a search, or the key 'thread' of a filter, reads one whole.
    """,
    keys: [
      ("conversations", Self.conversations),
      ("before", .text("The id to go on before.")),
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
      (
        "words",
        .text(
          """
          Words of titles and first questions, and terms, all of which must hold: project:PART branch:PART model:PART \
          tool:NAME file:PATH is:failed since:TIME until:TIME. All sessions if left out.
          """)
      ),
      ("before", .text("The id to go on before.")),
      ("limit", Self.limit), ("timeZone", Self.likeZone),
    ],
    list: "sessions",
    call: asking(
      SessionsQuestion(),
      then: "read_messages with \"conversations\":[CONVERSATION]"))

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
    Counts messages by year, month, day, weekday, hour, sender, person, conversation or kind: all, or those that a filter lets \
    through. Says when and by whom how much was written.
    """,
    keys: [
      ("by", .word("month is usual.", of: MessageGrouping.allCases.map(\.rawValue))),
      ("conversations", Self.conversations), ("person", Self.likePerson), ("filter", Self.likeFilter),
      ("timeZone", Self.likeZone),
      ("from", .text("The id to go on from.")),
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
        .flag("Whether to say what each part of the store takes on disk, which reads all of it.")
      ),
    ],
    call: asking(StatisticsQuestion()))

  /// Returns a reader of calls whose arguments are the keys of a question.
  ///
  /// - Parameters:
  ///   - usual: The question of a call without arguments.
  ///   - then: The next question to suggest.
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
      return "nothing: no text is left to look at in this direction"
    }
    guard found.searchedTo != nil else { return nil }
    return "the same with the arguments of 'more': texts as far as 'searchedTo' were looked at, no others"
  }

  private static let form = """
    Each message is [time in UTC, sender, text, more]: an empty time or sender is that of the message before, a time without a \
    day is of its day, and more, where there is any, has its id and other facts.
    """
  private static let limit = JSONSchema.integer("", from: 1)
  private static let bytes = JSONSchema.integer(
    "About how long the answer may be; \(AgentAnswers.usualByteCount) if left out.", from: 1)
  private static let part = JSONSchema.text(
    "Those with this part of the name, in any case, or whose name is this pattern with * and ?.")
  private static let likePart = JSONSchema.asIn("list_conversations", part)
  private static let zone = JSONSchema.text(
    "The zone of times and days, as Europe/Berlin or +05:30; else UTC.")
  private static let conversation = JSONSchema.name("A conversation by its name or its id.")
  private static let conversations = JSONSchema.list("Names or ids; all if left out.", of: .name(""))
  private static let person = JSONSchema.text(
    """
    A name of list_people, for all between this person and the user: direct conversations, both sides, and what they wrote \
    elsewhere.
    """)
  private static let likePerson = JSONSchema.asIn("search_messages", person)
  private static let likeZone = JSONSchema.asIn("search_messages", zone)
  private static let likeBytes = JSONSchema.asIn("search_messages", bytes)
  private static let likeDetail = JSONSchema.asIn("search_messages", detail)
  private static let likeFilter = JSONSchema.asIn("search_messages", filter)
  private static let likePlace = JSONSchema.asIn("read_messages", place)
  private static let detail = JSONSchema.word(
    "line gives a list for each message and long texts in part, whole objects with all that is known, ids included.",
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
          ("time", .text("The first message at or after a time, as filter.since takes it.")),
          ("number", .integer("The number of a message, 1 being the oldest.", from: 1)),
          ("percent", .number("The way from the oldest, 0, to the newest, 100.")),
        ], takesOneKey: true),
    ])

  private static let filter = JSONSchema.object(
    "Which messages: all that is said must hold.",
    [
      ("senders", .list("Names, of which one wrote it; ali* is all whose names begin so.", of: .text(""))),
      ("kinds", .list("Kinds, of which it is one.", of: .word("", of: Message.Kind.allCases.map(\.name)))),
      ("textOnly", .flag("true for what people said and did, without joins, quits and the like.")),
      ("has", .list("What it has.", of: .word("", of: ["attachment", "link", "reply", "edit"]))),
      ("since", .text("At or after \(time).")), ("until", .text("Before a time.")),
      ("thread", .text("The id of a message of a thread, of which all are meant.")),
      ("matching", .text("Words as in a search.")), ("regex", .text("A regular expression.")),
      ("saved", .list("Names of saved filters.", of: .text(""))),
    ])
}
