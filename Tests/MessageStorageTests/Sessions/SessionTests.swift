import GRDB
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Sessions of assistants: what is known of them, whatever becomes of their messages.
@Suite struct SessionTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  // MARK: Made-up sessions

  /// What a made-up session says, step by step.
  private enum Step: CaseIterable {
    case question, command, answer, thought, call, edit, patch, result, failure, usage, note
  }

  private static let names = ["tea", "kettle", "cup"]

  private func key(_ session: Int) -> ConversationIdentity? {
    ConversationIdentity(platform: "claude-code", key: "session-\(session)")
  }

  private func add(
    _ step: Step, _ number: Int, to batch: inout ImportBatch, session: Int, note: SessionNote?
  ) {
    var details = ImportDetails()
    details.source = Message.Source(platform: "claude-code", id: "\(session)/\(number)")
    let (time, name) = (minute(session * 1_000 + number), "session-\(session)")
    let word = Self.names[number % 3]
    func give(_ text: String, _ kind: Message.Kind, from sender: String?, model: String? = nil) {
      details.senderID = model
      batch.add(
        text, from: sender, at: time, .millisecond, in: name, kind: kind, details: details,
        known: key(session))
    }
    let model = "model-\(number % 2)"
    switch step {
    case .question: give("Why does the \(word) sing?\nTell me.", .text, from: "ann")
    case .command: give("/exit", .text, from: "ann")
    case .answer: give("It is hot.", .text, from: "Claude", model: model)
    case .thought: give("Hot, I think.", .thinking, from: "Claude", model: model)
    case .call: give("Bash\ncommand: ls \(word)\npath: /no", .tool, from: "Claude", model: model)
    case .edit:
      give("Edit\nfile_path: /src/\(word).swift\nold_string: a", .tool, from: "Claude", model: model)
    case .patch:
      give("patch\n*** Update File: src/\(word).c\n*** Add File: new.c", .tool, from: "Claude", model: model)
    case .result: give("failed to find it, not", .result, from: "Bash")
    case .failure: give(number % 2 == 0 ? "failed: no" : "failed (2): no", .result, from: "Bash")
    case .usage: give("Tokens: 100 sent (50 of them cached), 7 received. Cost: $0.01.", .system, from: nil)
    case .note: give("session in /home", .system, from: nil)
    }
    if let note { batch.note(note, ofConversation: batch.entries[batch.count - 1].conversation) }
  }

  /// The sessions as their rows say, as their messages say, and as rows that were written anew say.
  private func expectTruth(
    _ predicates: [SessionPredicate] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let all = [.everything] + predicates
    func pages() throws -> [SessionPage] {
      try all.map { try store.sessions(where: $0, before: nil, limit: 1_000) }
    }
    let rows = try pages()
    func expectSame(_ place: String) throws {
      for (found, (row, predicate)) in zip(try pages(), zip(rows, all)) where found != row {
        Issue.record("\(place), \(predicate): \(found) instead of \(row)", sourceLocation: sourceLocation)
        return
      }
    }
    try store.execute("UPDATE session SET inserted = -1")
    try expectSame("messages")
    try store.settleSessions()
    #expect(
      try store.numbers("SELECT count(*) FROM session WHERE inserted < 0") == [0],
      sourceLocation: sourceLocation)
    try expectSame("rows written anew")
    for (page, predicate) in zip(rows, all) {
      #expect(
        try store.sessionIDs(where: predicate) == Set(page.sessions.map(\.id)), sourceLocation: sourceLocation
      )
    }
  }

  private static let predicates: [SessionPredicate] = [
    .word(.folder, pattern: "(?i)TEA"), .word(.branch, pattern: "fix"), .word(.model, pattern: "model-1"),
    .word(.tool, pattern: "\\AEdit\\z"), .word(.file, pattern: "kettle"), .failed, .not(.failed),
    .title(pattern: "(?i)cup"), .and([.failed, .word(.tool, pattern: "Bash")]),
    .or([.word(.file, pattern: "new"), .title(pattern: "kettle")]),
    .during(minute(1_000)...minute(2_005)),
    .and([]), .or([]),
  ]

  @Test(arguments: UInt64(0)..<(isLong ? 12 : 4))
  func `rows say what messages say after any steps, and find the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var histories: [[Step]] = [[], [], []]
    for _ in 0..<12 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        var batch = ImportBatch()
        for session in histories.indices where Bool.random(using: &random) {
          for _ in 0..<Int.random(in: 0..<6, using: &random) {
            histories[session].append(Step.allCases[Int.random(in: 0..<Step.allCases.count, using: &random)])
          }
          var note = SessionNote(folder: session == 2 ? nil : "/home/ann/\(Self.names[session])")
          note.branch = Bool.random(using: &random) ? "fix-\(session)" : nil
          if Bool.random(using: &random) {
            note.add(sent: Int64(histories[session].count), cached: 1, received: 2)
          }
          for (number, step) in histories[session].enumerated() {
            add(step, number, to: &batch, session: session, note: note)
          }
        }
        try store.load([batch])
      case 4:
        if let message = try store.messages(pageSize: 100).randomElement(using: &random) {
          _ = try store.edit(message.id, text: "failed: /src edited\nfile_path: x")
        }
      case 5:
        if let message = try store.messages(pageSize: 100).randomElement(using: &random) {
          _ = try store.delete([message.id])
        }
      case 6:
        if let last = try store.imports().randomElement(using: &random) { try store.undoImport(last.id) }
      case 7:
        let all = try store.conversations()
        if all.count > 1, let from = all.randomElement(using: &random),
          let into = all.randomElement(using: &random), from != into
        {
          try store.mergeConversation(from.id, into: into.id)
        }
      default:
        if let room = try store.conversations().randomElement(using: &random) {
          try store.append([NewMessage("And why not?", from: "ann")], to: room.id)
        }
      }
      try expectTruth(Self.predicates)
    }
    #expect(try store.check().isSound)
  }

  @Test(arguments: [
    "UPDATE session SET title = 'Why not?'", "UPDATE session SET failures = failures + 1",
    "UPDATE session SET sent = 7", "UPDATE session SET newest = oldest", "UPDATE session SET question = NULL",
    "UPDATE session_use SET count = count + 1", "DELETE FROM session_use",
    "UPDATE session_word SET word = word || 'x'",
  ])
  func `a check finds rows that say something else than messages, and a repair writes them anew`(sql: String)
    throws
  {
    let before = try session([.question, .answer, .call, .edit, .failure, .usage])
    #expect(try store.check().isSound)
    try store.execute(sql)
    #expect(try store.check().problems.map(\.kind) == [.session])
    #expect(try store.check(repair: true).isSound)
    #expect(try store.check().problemCount == 0)
    #expect(try store.sessions(limit: 5).sessions == [before])
    try expectTruth()
  }

  // MARK: What is known

  private func session(_ steps: [Step], note: SessionNote = SessionNote(folder: "/home/ann/tea")) throws
    -> AssistantSession
  {
    var batch = ImportBatch()
    for (number, step) in steps.enumerated() { add(step, number, to: &batch, session: 0, note: note) }
    try store.load([batch])
    return try #require(try store.sessions(limit: 5).sessions.first)
  }

  @Test func `the first question is what a person asked, and no command that nobody answered`() throws {
    #expect(try session([.note, .command, .question, .answer]).question == "Why does the cup sing?")
  }

  @Test func `a command that was answered is a question`() throws {
    let found = try session([.command, .thought, .question])
    #expect(found.question == "/exit")
    #expect(found.questionID == found.oldest)
  }

  @Test func `models, tools and files are counted, and what failed is`() throws {
    let found = try session([.question, .answer, .call, .edit, .patch, .result, .failure, .failure])
    #expect(found.models.map { "\($0.name) \($0.count)" } == ["model-0 2", "model-1 2"])
    #expect(found.tools.map { "\($0.name) \($0.count)" } == ["Bash 1", "Edit 1", "patch 1"])
    #expect(Set(found.files.map(\.name)) == ["/no", "/src/tea.swift", "src/kettle.c", "new.c"])
    #expect(found.failureCount == 2)
    #expect(found.messageCount == 8)
  }

  @Test func `tokens that a program says of all count before those of single answers`() throws {
    let steps: [Step] = [.question, .usage, .usage]
    let found = try session(steps)
    #expect(found.note.sentTokens == 200 && found.note.cachedTokens == 100 && found.note.receivedTokens == 14)
    #expect(found.note.cost == 20_000)
    var note = SessionNote(folder: "/home/ann/tea")
    note.add(sent: 1_000, cached: 900, received: 80)
    let again = try session(steps, note: note)
    #expect(again.note.sentTokens == 1_000 && again.note.cost == 20_000)
  }

  @Test func `an import that brings nothing but facts is kept, and one that is undone takes its own`() throws
  {
    _ = try session([.question, .answer], note: SessionNote())
    #expect(try store.sessions(limit: 5).sessions[0].note.folder == nil)
    let known = try session([.question, .answer])
    #expect(known.note.folder == "/home/ann/tea")
    #expect(try store.imports().count == 1)
    var later = SessionNote(folder: "/home/ann/cup")
    later.branch = "new"
    #expect(try session([.question, .answer, .failure], note: later).note.folder == "/home/ann/cup")
    try expectTruth()
    try store.undoImport(try #require(try store.imports().last).id)
    let before = try store.sessions(limit: 5).sessions[0]
    #expect(before.note.folder == "/home/ann/tea" && before.note.branch == nil && before.failureCount == 0)
  }

  @Test func `pages go on behind the last session`() throws {
    for number in 0..<5 {
      var batch = ImportBatch()
      add(.question, 1, to: &batch, session: number, note: SessionNote())
      try store.load([batch])
    }
    let first = try store.sessions(limit: 2)
    #expect(first.sessions.map(\.identity.key) == ["session-4", "session-3"])
    let second = try store.sessions(before: first.next, limit: 2)
    #expect(second.sessions.map(\.identity.key) == ["session-2", "session-1"])
    #expect(try store.sessions(before: second.next, limit: 2).next == nil)
    #expect(try store.sessions(limit: 0).sessions.isEmpty)
  }

  @Test func `a conversation that goes takes all with it that was known of the session`() throws {
    let found = try session([.question, .edit])
    try store.deleteConversation(found.id)
    for table in ["session", "session_use", "session_note"] {
      #expect(try store.numbers("SELECT count(*) FROM \(table)") == [0], "\(table)")
    }
    #expect(try store.sessions(limit: 5).sessions.isEmpty)
    #expect(try store.sessionWords(.file).isEmpty)
  }

  @Test func `lists of many sessions walk the index of their newest messages`() throws {
    let plan = try store.reading("") { db in
      try Row.fetchAll(
        db,
        sql: """
          EXPLAIN QUERY PLAN SELECT s.conversation FROM session AS s JOIN conversation AS c ON c.id = s.conversation
            WHERE s.newest < 5 AND 1 AND s.conversation NOT IN () ORDER BY s.newest DESC LIMIT 3
          """
      ).map { $0["detail"] as String }.joined(separator: "; ")
    }
    #expect(plan.contains("session_newest") && !plan.contains("TEMP B-TREE"), "\(plan)")
  }
}

/// What stands in texts that readers of histories write.
@Suite struct SessionTextTests {
  private func note(_ text: String) -> SessionNote {
    var note = SessionNote()
    UsageText.add(text, to: &note)
    return note
  }

  @Test(arguments: [
    ("Tokens: 1200 sent (1000 of them cached), 80 received. Cost: $0.25.", [1_200, 1_000, 80, 250_000]),
    ("Tokens: 12 sent, 8 received.", [12, nil, 8, nil]),
    ("gpt-5: Tokens: 1200 sent (900 of them cached, 250 written), 80 received.", [1_200, 900, 80, nil]),
    (
      "Tokens: 2.3k sent, 1.5k cache hit, 1.2M received. Cost: $0.0012 message, $0.03 session.",
      [2_300, 1_500, 1_200_000, 1_200]
    ),
    (
      "gpt-5: Tokens: 5 sent, 1 received.\ngpt-6: Tokens: 5 sent, 2 received.\nPremium requests: 1.",
      [10, nil, 3, nil]
    ),
    ("session: 1200 tokens in, 80 out, 3 requests, $1.50", [1_200, nil, 80, 1_500_000]),
    ("session: 5 tokens of context", [nil, nil, nil, nil]), ("no Tokens: 5 sent", [nil, nil, nil, nil]),
    ("Tokens: -5 sent, x received. Cost: $-1.", [nil, nil, nil, nil]),
  ])
  func `tokens and costs are read as they are written`(text: String, wanted: [Int64?]) {
    let note = note(text)
    #expect([note.sentTokens, note.cachedTokens, note.receivedTokens, note.cost] == wanted)
  }

  @Test func `what a turn used grows, where no number falls and the models are the same`() {
    let first = "gpt-5: Tokens: 5 sent, 1 received."
    for (text, grows) in [
      ("gpt-5: Tokens: 5 sent, 2 received.", true),
      ("gpt-5: Tokens: 7 sent (2 of them cached), 1 received.", true),
      ("gpt-5: Tokens: 5 sent, 1 received. Cost: $0.01.", true), (first, false),
      ("gpt-5: Tokens: 4 sent, 9 received.", false), ("gpt-6: Tokens: 9 sent, 9 received.", false),
      ("tea", false),
    ] {
      #expect(UsageText.grows(from: first, to: text) == grows, "\(text)")
    }
    #expect(!UsageText.grows(from: "tea", to: first))
  }

  private func call(_ text: String) -> SessionCall {
    var text = text
    return text.withUTF8 { SessionCall(UnsafeRawBufferPointer($0)) }
  }

  @Test(arguments: [
    ("Read\nfile_path: /a b/c.swift\nlimit: 5", "Read", ["/a b/c.swift"]),
    ("Write\nfile_path: x\ncontent: path: y\npath: z", "Write", ["x"]),
    ("Grep\npattern: x\npath: src", "Grep", []),
    ("edit_file\nrelativeWorkspacePath: pot.ts", "edit_file", ["pot.ts"]),
    ("edit\nfile: a/b.c", "edit", ["a/b.c"]),
    ("write_to_file\nTargetFile: t.go\nOverwrite: true", "write_to_file", ["t.go"]),
    ("LS\npath: /home", "LS", []), ("write_to_file\npath: a.c", "write_to_file", ["a.c"]),
    ("Bash", "Bash", []),
    (
      "shell\ncommand: [\"apply_patch\",\"*** Begin Patch\\n*** Add File: a/b.py\\n+x\\n*** Delete File: c\\n\"]",
      "shell", ["a/b.py", "c"]
    ),
    ("apply_patch\n*** Begin Patch\n*** Update File: src/x.swift\n@@\n", "apply_patch", ["src/x.swift"]),
    ("Read\nfile_path: \n", "Read", []),
  ])
  func `a call names a tool and files`(text: String, name: String, files: [String]) {
    let call = call(text)
    #expect(call.name == name)
    #expect(call.files == files)
  }

  @Test func `nothing, and paths of any length, are no words`() {
    #expect(call("").name == nil && call("\nfile_path: x").name == nil)
    #expect(call("Read\nfile_path: " + String(repeating: "x", count: 2_000)).files.isEmpty)
  }

  @Test(arguments: [
    ("failed", true), ("failed: x", true), ("failed (1): x", true), ("failed (-9)", true),
    ("failed with 2: x", true),
    ("failed to find", false), ("failed (no): x", false), ("failed with love", false), ("Failed: x", false),
    ("fail", false), ("", false),
  ])
  func `what failed begins so, and the expression says the same`(text: String, hasFailed: Bool) throws {
    #expect(FailureMark.begins(text) == hasFailed)
    #expect(try TextPattern(FailureMark.pattern).isIn(text) == hasFailed)
  }
}
