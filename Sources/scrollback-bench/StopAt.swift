import ArgumentParser
import Foundation
import MessageModel
import MessageStorage
import Synchronization

/// Attaches or moves contents and kills itself at one of the steps: how tests see what a kill leaves.
struct StopAt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Attach files or move contents, and be killed at the given step.", shouldDisplay: false)

  @Argument(help: "After how many steps to stop; 0 for never.") var step: Int
  @Argument(help: "attach or move.") var work: String
  @Argument(help: "The store.") var store: String
  @Argument(help: "For attach: a message and files. For a table: its file, name and column.") var rest:
    [String] = []

  func run() throws {
    let passed = Mutex(0)
    let last = step
    let store = try MessageStore(
      path: store, options: StoreOptions(access: .readWrite, busyMilliseconds: 60_000))
    defer { store.close() }
    // A disk that is full says so; a limit would end the process.
    signal(SIGXFSZ, SIG_IGN)
    let hook: @Sendable (AttachmentStep) throws -> Void = { _ in
      let count = passed.withLock { passed in
        passed += 1
        return passed
      }
      if count == last { kill(getpid(), SIGKILL) }
    }
    try AttachmentStep.$hook.withValue(hook) { try work(in: store) }
  }

  private func work(in store: MessageStore) throws {
    switch work {
    case "attach":
      guard let id = rest.first.flatMap({ Message.ID($0) }) else { throw ValidationError("no message") }
      try store.attach(rest.dropFirst().map { NewAttachment(file: $0) }, to: id)
    case "table":
      let table = ForeignTable(path: rest[0], table: rest[1], column: rest[2])
      let room = try store.conversation(named: rest[1]) ?? store.makeConversation(named: rest[1])
      _ = try ForeignTableMove(table).run(into: store, room.id, keeps: false) { _ in true }
    default: try store.moveContents()
    }
  }
}
