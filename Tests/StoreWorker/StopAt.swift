import ArgumentParser
import Foundation
import MessageModel
import MessageStorage
import Synchronization

/// Attaches or moves contents, writes several things in one transaction, or restores a backup, and kills itself at one of the steps: how tests see what a kill leaves.
struct StopAt: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Attach files, move contents or restore, and be killed at the given step.",
    shouldDisplay: false)

  @Argument(help: "After how many steps to stop; 0 for never.") var step: Int
  @Argument(help: "attach, write, move, table, backup, restore or link-restore.") var work: String
  @Argument(help: "The store.") var store: String
  @Argument(
    help:
      "For attach and write: a message and files. For a table: its file, name and column. Else the backup.")
  var rest: [String] = []

  func run() throws {
    // A disk that is full says so; a limit would end the process.
    signal(SIGXFSZ, SIG_IGN)
    let steps = Steps(until: step)
    let attaching: @Sendable (AttachmentStep) throws -> Void = { _ in steps.pass() }
    let restoring: @Sendable (RestoreStep) throws -> Void = { _ in steps.pass() }
    do {
      try AttachmentStep.$hook.withValue(attaching) {
        try RestoreStep.$hook.withValue(restoring) { try carryOut() }
      }
    } catch let error as StoreError {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      throw ExitCode.failure
    }
  }

  private func carryOut() throws {
    switch work {
    case "restore": try SynchronousMessageStore.restore(rest[0], to: store)
    case "link-restore":
      try RestoreStep.$exchangesNames.withValue(false) {
        try SynchronousMessageStore.restore(rest[0], to: store)
      }
    default:
      let store = try SynchronousMessageStore(
        path: store, options: StoreOptions(access: .readWrite, busyTimeout: .milliseconds(60_000)))
      defer { store.close() }
      try work(in: store)
    }
  }

  private func work(in store: SynchronousMessageStore) throws {
    switch work {
    case "attach":
      guard let id = rest.first.flatMap({ Message.ID($0) }) else { throw ValidationError("no message") }
      try store.attach(rest.dropFirst().map { NewAttachment(file: $0) }, to: id)
    case "write":
      guard let id = rest.first.flatMap({ Message.ID($0) }) else { throw ValidationError("no message") }
      let files = rest.dropFirst().map { NewAttachment(file: $0) }
      try store.write { store in
        try store.edit(id, text: "edited")
        let room = try store.makeConversation(named: "made")
        try store.append([NewMessage("first", from: "jon", files: files)], to: room.id)
        try store.attach(files, to: id)
        try store.append([NewMessage("last", files: [NewAttachment([1], name: "small")])], to: room.id)
      }
    case "backup": try store.backup(to: rest[0])
    case "table":
      let table = ForeignTable(path: rest[0], table: rest[1], column: rest[2])
      let conversation = try store.conversation(named: rest[1]) ?? store.makeConversation(named: rest[1])
      _ = try ForeignTableMove(table).run(into: store, conversation.id, keeps: false) { _ in true }
    default: try store.moveContents()
    }
  }
}

/// Counts steps, and ends the process at the last one.
private final class Steps: Sendable {
  private let passed = Mutex(0)
  private let last: Int

  init(until last: Int) { self.last = last }

  func pass() {
    let count = passed.withLock { passed in
      passed += 1
      return passed
    }
    if count == last { kill(getpid(), SIGKILL) }
  }
}
