import ChatSession
import Foundation
import MessageModel
import MessageStorage
internal import TerminalText
import TestSupport

/// A note list kept thousands of objects nobody had asked for while a sync ran, and counted again at every change.
struct SyncStory {
  let changes: Int
  private static let naiveShare = 20

  func run(on stage: StoryStage) throws -> StoryTable {
    let copy = try Setting(size: 100_000, folder: stage.folder).copyOfStore()
    let ours = try stage.play(.syncReader, [copy, "--count", "\(changes)"])
    let fewer = max(1_000, changes / Self.naiveShare)
    let naiveCopy = try Setting(size: 100_000, folder: stage.folder).copyOfStore()
    let naive = try stage.playNaively(.syncNaively, [naiveCopy, "--count", "\(fewer)"])
    func naively(_ name: String, _ unit: StoryTable.Unit) -> String {
      naive?[name].map { "\(unit.text($0)), at \(fewer) changes" } ?? "did not survive"
    }
    var table = StoryTable(title: "sync: \(changes) changes while a reader scrolls under a filter")
    let idle = max(ours["idle-p99"] ?? 0, 0.001)
    table.add("frames, idle: p99", idle, .milliseconds, naive: naively("idle-p99", .milliseconds))
    table.add(
      "frames, during the sync: p99", ours["busy-p99"] ?? .infinity, .milliseconds, atMost: 16,
      naive: naively("busy-p99", .milliseconds))
    table.add("  in idle ones", (ours["busy-p99"] ?? .infinity) / idle, .times, atMost: 4)
    table.add(
      "  worst frame", ours["busy-worst"] ?? 0, .milliseconds, naive: naively("busy-worst", .milliseconds))
    table.add("  of the processor: p99", ours["busy-processor-p99"] ?? 0, .milliseconds)
    table.add(
      "memory, growth", ours["growth"] ?? .infinity, .megabytes, atMost: 8,
      naive: naively("growth", .megabytes))
    table.add("memory, peak", ours["peak"] ?? 0, .megabytes, naive: naively("peak", .megabytes))
    table.add(
      "background counts in 2 s", ours["counts"] ?? .infinity, .count, atMost: 1,
      naive: naively("counts", .count))
    table.remarks = [
      "\(Int(ours["busy-frames"] ?? 0)) frames at 60 a second while 8 of 10 changes were inserts, 1 an edit, 1 a deletion.",
      "Naive: each change reads and counts all messages that the filter lets through.",
    ]
    return table
  }
}

/// The work of a sync: inserts, edits and deletions, a thousand at a time.
struct SyncWriterPart {
  let store: String
  let changes: Int

  func run() throws {
    let store = try SynchronousMessageStore(
      path: store, options: StoreOptions(access: .readWrite, durability: .process))
    defer { store.close() }
    let conversation = try StoryContext.conversation(of: store).id
    var generator = HistoryGenerator(HistoryGenerator.Options(count: changes, seed: 7, conversations: 1))
    var left = changes
    while left > 0 {
      var messages: [NewMessage] = []
      while messages.count < min(800, left), generator.advance() {
        messages.append(
          NewMessage(
            String(decoding: generator.text, as: UTF8.self),
            from: generator.senderNames[generator.line.sender]))
      }
      let ids = try store.append(messages, to: conversation)
      let edited = ids.prefix(100)
      for id in edited { _ = try store.edit(id, text: "changed by the sync") }
      let deleted = Array(ids.suffix(min(100, ids.count / 8)))
      let _: DeletedMessages = try store.delete(deleted)
      left -= ids.count + edited.count + deleted.count
    }
    StoryPart.tell("done", Double(changes - left))
  }
}

/// A reader at sixty frames a second, first alone and then while another process writes.
struct SyncReaderPart {
  let store: String
  let changes: Int

  func run() async throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let hasChanged = ChangeFlag(of: store)
    var reader = try FilteredReader(store)
    var idle = FrameClock()
    for _ in 0..<600 { idle.frame { reader.frame(hasChanged.lower()) } }
    idle.tell("idle")
    let writer = try ChildPart.start(.syncWriter, self.store, count: changes)
    var busy = FrameClock()
    var memory: [Double] = []
    let (start, before) = (ContinuousClock.now, store.backgroundCountCount)
    while writer.isRunning {
      busy.frame { reader.frame(hasChanged.lower()) }
      if busy.wall.count % 60 == 0 { memory.append(StoryContext.resident) }
    }
    busy.tell("busy")
    StoryPart.tell("growth", (memory.max() ?? 0) - (memory.first ?? 0))
    // Between the first count and the last there are so many waits.
    let waits = Double(max(0, store.backgroundCountCount - before - 1))
    StoryPart.tell("counts", waits / ((ContinuousClock.now - start) / .seconds(2)))
  }
}

/// Scrolls older for a while, then back, under a filter that no index counts.
private struct FilteredReader {
  private var session: Session<ScreenReader>
  private var painter = ScreenPainter(StyleEncoder(.indexed))
  private let threads = JobThreads {}
  private var count = 0

  init(_ store: SynchronousMessageStore) throws {
    let context = try StoryContext.make(store)
    let page = try store.page(PageRequest(context.selection, fetchLimit: 200))
    let name = page.messages.compactMap { $0.sender?.name }.first ?? "nobody"
    session = try Session(context, rows: 50, columns: 120)
    // A sender and a kind are counted each, but not both together.
    _ = session.handle(.line("/filter from:\"\(name)\" kind:text"))
  }

  mutating func frame(_ hasChanged: Bool) {
    count += 1
    if hasChanged { threads.tell(.storeChanged, to: &session) }
    threads.tellReports(to: &session)
    threads.tell(.key(count / 120 % 2 == 0 ? .rowsOlder : .rowsNewer), to: &session)
    _ = painter.paint(ScreenReader.show(&session).shown)
  }
}

/// A part that runs beside this one.
enum ChildPart {
  static func start(
    _ part: StoryPart.Name, _ store: String, count: Int, output: String? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-bench"))
    process.arguments = ["story-part", part.rawValue, store, "--count", "\(count)"]
    process.standardOutput = FileHandle.nullDevice
    if let output {
      _ = FileManager.default.createFile(atPath: output, contents: nil)
      process.standardOutput = FileHandle(forWritingAtPath: output)
    }
    try process.run()
    return process
  }
}

/// Keeps all that the filter lets through and reads and counts it again at each change.
struct NaiveSyncPart {
  let store: String
  let changes: Int

  func run() throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let hasChanged = ChangeFlag(of: store)
    let conversation = try StoryContext.conversation(of: store).id
    let selection = Selection(conversation, where: .kind([.text]))
    var (held, place, counts) = ([Message](), 0, 0)
    func frame() throws {
      if hasChanged.lower() || held.isEmpty {
        held = try store.page(PageRequest(selection, fetchLimit: .max / 2, wantsCounts: false)).messages
        counts += 1
      }
      place = (place + 3) % max(1, held.count)
      _ = StoryContext.paint(Array(held.dropFirst(place).prefix(50)), 120, height: 50)
    }
    var idle = FrameClock()
    for _ in 0..<120 { try idle.frame(frame) }
    idle.tell("idle")
    let before = StoryContext.resident
    let start = ContinuousClock.now
    counts = 0
    let writer = try ChildPart.start(.syncWriter, self.store, count: changes)
    var busy = FrameClock()
    while writer.isRunning { try busy.frame(frame) }
    busy.tell("busy")
    StoryPart.tell("growth", StoryContext.resident - before)
    StoryPart.tell("counts", Double(counts) / ((ContinuousClock.now - start) / .seconds(2)).rounded(.up))
  }
}
