import Foundation
import HistoryModel
import MessageModel
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

/// Commands of several transactions whose process ends after one of them, whichever it is: what is done next ends as if nothing
/// had happened.
@Suite(.sharingStates) struct InterruptedCommandTests {
  /// A command, as it is run on a store.
  struct Command: CustomTestStringConvertible, Sendable {
    let name: String
    /// The stores that it is run on.
    var scenes = [Scene.all[0]]
    /// Whether it may be run again once it is done.
    var mayBeRepeated = true
    let run: @Sendable (SynchronousMessageStore, Scene) throws -> Void

    var testDescription: String { name }
  }

  static let commands = rearranging + people + upkeep

  private static let rearranging = [
    Command(name: "merge", scenes: Scene.all, mayBeRepeated: false) { store, _ in
      try store.mergeConversation(try store.room("#a"), into: try store.room("#b"))
    },
    Command(name: "delete", scenes: Scene.all, mayBeRepeated: false) { store, _ in
      try store.deleteConversation(try store.room("#a"))
    },
    Command(name: "rename", mayBeRepeated: false) { store, _ in
      try store.renameConversation(try store.room("#a"), to: "#c")
    },
    Command(name: "move messages", scenes: Scene.all) { store, _ in
      for message in try store.messages(Selection(try store.room("#a"))) {
        guard let number = ["a10", "a11", "a12"].firstIndex(of: message.text) else { continue }
        try store.move(message.id, to: minute(70 + number))
      }
    },
    Command(name: "undo", scenes: Scene.all, mayBeRepeated: false) { store, _ in try store.undoImport(1) },
    Command(name: "import", scenes: Scene.all) { store, scene in try store.importing([scene.more]) },
  ]

  private static let people = [
    Command(name: "people link") { store, _ in
      let accounts = try store.accounts(called: ["alice", "bob"])
      try store.linkAccounts(accounts, to: "Ann")
    },
    Command(name: "people unlink", mayBeRepeated: false) { store, _ in
      try store.removePerson(try store.person(named: "Carol").id)
    },
    Command(name: "people undo", mayBeRepeated: false) { store, _ in try store.undoPeople() },
  ]

  private static let upkeep = [
    Command(name: "filters save") { store, _ in
      try store.saveFilter(named: "odd", words: "1", predicate: .regex("1"))
      try store.countMessages(ofFilter: "odd")
    },
    Command(name: "filters delete", mayBeRepeated: false) { store, _ in
      try store.deleteFilter(named: "odd")
    },
    Command(name: "compact") { store, _ in try store.compact() },
    Command(name: "compact --secure") { store, _ in try store.compact(secure: true) },
    Command(name: "check --repair") { store, _ in _ = try store.check(repair: true) },
    Command(name: "migrate") { store, _ in try store.moveContents() },
  ]

  @Test(arguments: commands)
  func `a command that was ended after any of its transactions is run again, and ends as it would have`(
    command: Command
  ) throws {
    for (scene, states) in try command.scenes.map({ ($0, try $0.states(of: command)) }) {
      let end = try states.end.opened { try Outcome(of: $0) }
      for (number, state) in states.all.enumerated() {
        try state.opened { store in
          let place = "\(scene.name): state \(number) of \(states.all.count)"
          #expect(try store.check().problems == [], "\(place)")
          let isDone = try Outcome(of: store) == end
          if !isDone || command.mayBeRepeated { try command.run(store, scene) }
          #expect(try Outcome(of: store) == end, "\(place)")
          try scene.importAgain(into: store, "\(place), run again")
        }
      }
    }
  }

  @Test(arguments: commands)
  func
    `an import after a command was ended brings what is missing and nothing twice, and so does the command after it`(
      command: Command
    ) throws
  {
    for (scene, states) in try command.scenes.map({ ($0, try $0.states(of: command)) }) {
      for (number, state) in states.each(from: 1) {
        try state.opened { store in
          let place = "\(scene.name): state \(number) of \(states.all.count)"
          try scene.importAgain(into: store, place)
          // An import may have carried it to its end, and brought back what it was to remove.
          do { try command.run(store, scene) } catch let error as StoreError {
            #expect([.notFound, .alreadyExists, .invalidRequest].contains(error.kind), "\(place): \(error)")
          }
          try scene.importAgain(into: store, "\(place), then the command")
        }
      }
    }
  }

  @Test(arguments: commands, ["#a", "#b"])
  func `what a command that was ended has left is deleted, and an import brings all of it back once`(
    command: Command, room: String
  ) throws {
    for (scene, states) in try command.scenes.map({ ($0, try $0.states(of: command)) }) {
      for (number, state) in states.each(from: room == "#a" ? 0 : 2) {
        try state.opened { store in
          let place = "\(scene.name): state \(number) of \(states.all.count)"
          guard let found = try store.conversation(named: room) else { return }
          try store.deleteConversation(found.id)
          #expect(try store.check().problems == [], "\(place)")
          try scene.importAgain(into: store, "\(place), deleted")
        }
      }
    }
  }

  @Test func `a merge and a deletion are gone through in more than three states`() throws {
    for command in Self.commands where ["merge", "delete", "undo"].contains(command.name) {
      for scene in command.scenes { #expect(try scene.states(of: command).all.count > 3, "\(command.name)") }
    }
  }
}

extension SynchronousMessageStore {
  @discardableResult
  fileprivate func importing(_ files: [ImportBatch]) throws -> BulkImport.Counts {
    let load = try BulkImport(into: self, .test)
    for file in files { try load.add(file) }
    return try load.finish()
  }

  fileprivate func room(_ name: String) throws -> Conversation.ID {
    guard let found = try conversation(named: name) else { throw StoreError(.notFound, "no \(name)") }
    return found.id
  }
}

/// What is in a store, without what says when it came to be so.
private struct Outcome: Equatable {
  var messages: [String]
  var conversations: [String]
  var filters: [String]
  var people: [String]
  var marks: [String]

  init(of store: SynchronousMessageStore) throws {
    let names = Dictionary(uniqueKeysWithValues: try store.conversations().map { ($0.id, $0.name) })
    messages = try store.messages(pageSize: 500).map {
      "\($0.id.placeTime) \(names[$0.conversation] ?? "nowhere"): \($0.text)"
    }.sorted()
    conversations = try store.conversations().map { "\($0.name) \($0.messageCount)" }
    filters = try store.savedFilters().map { "\($0.name) \($0.total)" }
    people = try store.people().map { "\($0.name) \($0.accounts.count)" }
    marks = try store.marks().map { "\($0.name) \($0.message.placeTime)" }
  }
}

/// Two conversations, the files that they came from, and what people did in them.
struct Scene: Sendable {
  let name: String
  /// Makes the details of a message with a number in a conversation.
  let details: @Sendable (_ room: String, _ number: Int) -> ImportDetails?
  let isIdentified: Bool

  /// Messages without ids, known again by what they say; messages with the ids that a platform counts; those that it counts
  /// in each conversation, others in the second or the same in both.
  static let all = [
    Scene(name: "logs", details: { _, _ in nil }, isIdentified: false),
    Scene(name: "ids", details: { Scene.details("\($0) \($1)", isLocal: false) }, isIdentified: true),
    Scene(
      name: "local ids", details: { Scene.details("\($0 == "#a" ? $1 : $1 + 7)", isLocal: true) },
      isIdentified: true),
    Scene(
      name: "equal local ids", details: { Scene.details("\($1)", isLocal: true) }, isIdentified: false),
  ]

  private static func details(_ id: String, isLocal: Bool) -> ImportDetails {
    var details = ImportDetails()
    details.source = Message.Source(platform: "test", id: id)
    (details.hasLocalID, details.hasDoubtfulID) = (isLocal, isLocal)
    return details
  }

  private func history(of room: String, _ numbers: Range<Int>, texts: (Int) -> String) -> ImportBatch {
    var batch = ImportBatch()
    for number in numbers {
      batch.add(
        texts(number), from: ["alice", "bob", "carol"][number % 3], at: minute(number), in: room,
        details: details(room, number),
        known: isIdentified ? ConversationIdentity(platform: "test", key: "key of \(room)") : nil)
    }
    return batch
  }

  /// The first messages of both say the same at the same time.
  private var histories: [ImportBatch] {
    [
      history(of: "#a", 0..<40) { $0 < 3 ? "same \($0)" : "a\($0)" },
      history(of: "#b", 0..<25) { $0 < 3 ? "same \($0)" : "b\($0)" },
    ]
  }

  /// What a later export adds.
  var more: ImportBatch { history(of: "#a", 30..<60) { "a\($0)" } }

  private var allTexts: [String: Int] {
    let texts =
      (0..<60).map { $0 < 3 ? "same \($0)" : "a\($0)" } + (0..<25).map { $0 < 3 ? "same \($0)" : "b\($0)" }
    return texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Imports the files again, which brings what is missing, and once more, which brings nothing: each message is there once.
  func importAgain(into store: SynchronousMessageStore, _ place: String) throws {
    try store.importing(histories + [more])
    var counts = try store.texts(pageSize: 500).filter { !$0.hasPrefix("own") }
      .reduce(into: [:]) { $0[$1, default: 0] += 1 }
    // That somebody deleted it is remembered unless its conversation has been deleted.
    if counts["a20"] == nil { counts["a20"] = 1 }
    let wrong = Set(counts.keys).union(allTexts.keys).filter { counts[$0] != allTexts[$0] }
    #expect(wrong.map { "\(counts[$0] ?? 0) × \($0)" } == [], "\(place)")
    #expect(try store.texts(pageSize: 500).count { $0.hasPrefix("own") } <= 4, "\(place)")
    #expect(try store.importing(histories + [more]).addedCount == 0, "\(place)")
    #expect(try store.check().problems == [], "\(place)")
  }

  /// Prepares a store in which everything is that goes along with messages.
  fileprivate func prepare(_ store: SynchronousMessageStore) throws {
    for history in histories { try store.importing([history]) }
    let room = try store.room("#a")
    let own = try store.append(
      (0..<4).map { NewMessage("own \($0)", from: "me", at: minute(20 + 5 * $0)) }, to: room)
    try store.edit(own[0], text: "own, and edited")
    let messages = try store.messages(Selection(room), pageSize: 100)
    func id(_ text: String) -> Message.ID { messages.first { $0.text == text }?.id ?? .lowest }
    try store.delete([id("a20")])
    try store.move(id("a5"), to: minute(33))
    try store.move(id("a35"), to: minute(4))
    try store.star([id("a8")])
    try store.setMark(NamedMark(name: "here", conversation: room, message: id("a9")))
    try store.linkAccounts(try store.accounts(called: ["carol"]), to: "Carol")
    try store.saveFilter(named: "odd", words: "odd", predicate: .regex("[13579]$"))
    try store.countMessages(ofFilter: "odd")
  }
}

extension Scene {
  /// The states of a store that a command leaves when its process ends: before the first and after each transaction.
  struct States {
    var all: [StoreCopy]
    var end: StoreCopy { all[all.count - 1] }

    /// The states with their numbers; in the short form of the tests each third one, so that those that begin elsewhere have
    /// the others.
    func each(from start: Int) -> [(number: Int, state: StoreCopy)] {
      let numbers = stride(from: isLong ? 0 : min(start, all.count - 1), to: all.count, by: isLong ? 1 : 3)
      return numbers.map { ($0, all[$0]) }
    }
  }

  /// A copy of the files of a store, as they lay on the disk at some moment.
  final class StoreCopy: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(
      path: "scrollback-\(UUID().uuidString)")

    init(of path: String) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for suffix in ["", "-wal", ".attachments"] where FileManager.default.fileExists(atPath: path + suffix) {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path + "/store.db" + suffix)
      }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens a copy of it.
    func opened<Value>(_ body: (SynchronousMessageStore) throws -> Value) throws -> Value {
      let copy = try StoreCopy(of: folder.path + "/store.db")
      let store = try SynchronousMessageStore(path: copy.folder.path + "/store.db", options: Scene.options)
      defer { store.close() }
      return try body(store)
    }

    fileprivate func path() -> String { folder.path + "/store.db" }
  }

  fileprivate static var options: StoreOptions {
    var options = StoreOptions(durability: .process, inlineByteCount: 0)
    options.pieceCount = 18
    return options
  }

  /// The states of a command, which are made for the first test of the suite that asks for them.
  func states(of command: InterruptedCommandTests.Command) throws -> States {
    let key = "\(command.name) on \(name)"
    if let states = SharedStates.made?.all.withLock({ $0[key] }) { return states }
    let states = try makeStates(of: command)
    SharedStates.made?.all.withLock { $0[key] = states }
    return states
  }

  /// Runs a command once, and copies the files before each transaction that writes and at the end.
  private func makeStates(of command: InterruptedCommandTests.Command) throws -> States {
    let temporary = try TemporaryStore(options: Self.options)
    try prepare(temporary.store)
    temporary.store.close()
    let path = temporary.store.path
    let copies = Mutex<[StoreCopy]>([])
    var options = Self.options
    options.trace = StatementTrace { sql in
      guard sql.hasPrefix("BEGIN IMMEDIATE") || sql == "VACUUM" else { return }
      if let copy = try? StoreCopy(of: path) { copies.withLock { $0.append(copy) } }
    }
    let store = try SynchronousMessageStore(path: path, options: options)
    try command.run(store, self)
    copies.withLock { try? $0.append(StoreCopy(of: path)) }
    store.close()
    return States(all: copies.withLock { $0 })
  }
}

/// Keeps the states of commands for all tests of a suite.
struct SharedStates: SuiteTrait, TestScoping {
  @TaskLocal static var made: Made?

  final class Made: Sendable {
    let all = Mutex<[String: Scene.States]>([:])
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$made.withValue(Made()) { try await function() }
  }
}

extension Trait where Self == SharedStates {
  static var sharingStates: SharedStates { SharedStates() }
}
