import ChatSession
import Foundation
import MessageModel
import MessagePictures
import MessageStorage
internal import TerminalText
import TestSupport

/// A collection of cards hung for 20 seconds per save, and crashed: pictures in full size lay in its rows and were decoded
/// for thumbnails.
struct CardsStory {
  let inlineMegabytes: Int

  func run(on stage: StoryStage) throws -> StoryTable {
    var table = StoryTable(title: "cards: photographs of 48 megapixels saved while somebody scrolls")
    let pictures = try PictureStore(folder: stage.folder).path(photographs: 100, on: stage)
    let copy = "\(stage.folder)/cards.db"
    try StoreFiles.copy(pictures, to: copy)
    let ours = try stage.play(.cards, [copy, "--count", "20"])
    let naive = try stage.playNaively(.cardsNaively, [copy])
    let idle = max(ours["idle-p99"] ?? 0, 0.001)
    let hang = naive?["hang"].map { StoryTable.Unit.milliseconds.text($0) } ?? "did not survive"
    table.add("frames, idle: p99", idle, .milliseconds)
    table.add(
      "frames, during saves: p99", ours["busy-p99"] ?? .infinity, .milliseconds, atMost: 16, naive: hang)
    table.add("  in idle ones", (ours["busy-p99"] ?? .infinity) / idle, .times, atMost: 4)
    table.add("  worst frame", ours["busy-worst"] ?? 0, .milliseconds, naive: hang)
    table.add("  of the processor: p99", ours["busy-processor-p99"] ?? 0, .milliseconds)
    table.add("reader: peak memory", ours["peak"] ?? 0, .megabytes)
    table.add("writer: peak memory", ours["writer-peak"] ?? .infinity, .megabytes, atMost: 96)
    try addMigration(to: &table, on: stage)
    table.remarks = [
      "20 saves of 48 megapixels, \(Int(ours["busy-frames"] ?? 0)) frames at 60 a second meanwhile.",
      "Naive: the reader's thread saves, then decodes the 20 cards in view in full size, since its rows hold nothing else.",
    ]
    return table
  }

  private func addMigration(to table: inout StoryTable, on stage: StoryStage) throws {
    let path = "\(stage.folder)/inline-\(inlineMegabytes).db"
    StoreFiles.remove(path)
    let made = try stage.play(.inlineStore, [path, "--count", "\(inlineMegabytes)"])
    var moving = Measurement()
    try Program(BuiltProduct.path(of: "scrollback"), "migrate", "--no-backup", "--quiet", "--store", path)
      .run(into: &moving)
    let checked = try stage.play(.inlineCheck, [path, "--count", "\(Int(made["pictures"] ?? 0))"])
    table.add(
      "migration of \(inlineMegabytes) MB of inline pictures: peak memory", Double(moving.peakBytes) / 1e6,
      .megabytes,
      atMost: 96)
    table.add("  time", moving.median / 1e6, .milliseconds)
    table.add(
      "  pictures that are not the same by SHA-256", checked["different"] ?? .infinity, .count, atMost: 0)
    table.add("  pictures still in rows", checked["inline"] ?? .infinity, .count, atMost: 0)
    table.add("  pictures without a thumbnail", checked["bare"] ?? .infinity, .count, atMost: 0)
  }
}

/// A reader at sixty frames a second, first alone and then while another process saves photographs.
struct CardsPart {
  let store: String
  let count: Int

  func run() async throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let hasChanged = ChangeFlag(of: store)
    var session = try Session(try StoryContext.make(store), rows: 50, columns: 120)
    session.draw(with: PictureSupport.drawer(environment: ["TERM": "xterm-256color"], cell: nil))
    _ = session.handle(.line("/set pictures on"))
    var painter = ScreenPainter(StyleEncoder(.indexed))
    let threads = JobThreads {}
    var (number, jobs) = (0, [Job]())
    func frame() {
      number += 1
      if hasChanged.lower() { threads.tell(.storeChanged, to: &session) }
      threads.tellReports(to: &session)
      threads.tell(.key(number / 60 % 2 == 0 ? .rowsOlder : .rowsNewer), to: &session)
      jobs = PicturesPart.paint(&session, &painter)
    }
    var idle = FrameClock()
    for _ in 0..<600 {
      idle.frame(frame)
      _ = PicturesPart.drawAll(jobs, &session, &painter)
    }
    idle.tell("idle")
    let writer = try ChildPart.start(.cardsWriter, self.store, count: count, output: self.store + ".writer")
    var busy = FrameClock()
    while writer.isRunning {
      busy.frame(frame)
      _ = PicturesPart.drawAll(jobs, &session, &painter)
    }
    busy.tell("busy")
    let told = try String(contentsOfFile: self.store + ".writer", encoding: .utf8)
    StoryPart.tell("writer-peak", StoryStage.figures(in: told)["memory"] ?? .infinity)
  }
}

/// Saves photographs of 48 megapixels, ten megabytes each.
struct CardsWriterPart {
  let store: String
  let count: Int

  func run() throws {
    let maker = try StoryContext.maker()
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    let conversation = try StoryContext.conversation(of: store).id
    let file = self.store + ".card.jpg"
    defer { unlink(file) }
    for number in 0..<count {
      try CardPhotograph.write(number, to: file)
      let ids = try store.append([NewMessage("card \(number)", from: "jon")], to: conversation)
      for id in ids { try store.attach([NewAttachment(file: file, name: "card-\(number).jpg")], to: id) }
      try store.makePictures(by: maker)
    }
    StoryPart.tell("memory", Double(Memory.peak) / 1e6)
  }
}

/// Photographs for cards, made in a process of their own: the generator's memory is not the writer's.
enum CardPhotograph {
  static func write(_ number: Int, to path: String) throws {
    try Program(
      BuiltProduct.path(of: "scrollback-bench"), "picture", "8000", "6000", "--seed", "\(number)", "--detail",
      "--output", path
    ).run()
  }
}

/// Saves and looks at the result on the reader's thread.
struct NaiveCardsPart {
  let store: String

  func run() throws {
    #if Pictures
      let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readWrite))
      defer { store.close() }
      let file = self.store + ".card.jpg"
      defer { unlink(file) }
      try CardPhotograph.write(1_000, to: file)
      var hang = Measurement()
      try hang.time {
        let conversation = try StoryContext.conversation(of: store).id
        let ids = try store.append([NewMessage("card", from: "jon")], to: conversation)
        for id in ids { try store.attach([NewAttachment(file: file)], to: id) }
        let page = try store.page(PageRequest(Selection(conversation), fetchLimit: 20, wantsCounts: false))
        for attachment in page.messages.flatMap(\.attachments) {
          guard let sha256 = attachment.sha256, let path = try store.openContent(sha256).path else {
            continue
          }
          _ = try? PictureShrinker.pixels(of: .file(path: path))
        }
      }
      StoryPart.tell("hang", hang.median / 1e6)
    #endif
  }
}

/// Fills a store with pictures that lie in its rows, three megabytes each.
struct InlineStorePart {
  let store: String
  let megabytes: Int

  func run() throws {
    var options = StoreOptions(durability: .process)
    options.inlineByteCount = 64 << 20
    let store = try SynchronousMessageStore(path: store, options: options)
    defer { store.close() }
    let conversation = try store.makeConversation(named: "album").id
    var (generator, written, number) = (PictureGenerator(), 0, 0)
    while written < megabytes * 1_000_000 {
      let bytes = Self.picture(number, &generator)
      let ids = try store.append([NewMessage("card \(number)", from: "jon")], to: conversation)
      for id in ids { try store.attach([NewAttachment(bytes, name: "card-\(number).jpg")], to: id) }
      written += bytes.count
      number += 1
    }
    StoryPart.tell("pictures", Double(number))
  }

  static func picture(_ number: Int, _ generator: inout PictureGenerator) -> [UInt8] {
    generator.jpeg(
      PixelSize(width: 4_800, height: 3_600), seed: UInt64(number), style: .init(hasDetail: true))
  }
}

/// Compares what a store holds with what was put in.
struct InlineCheckPart {
  let store: String
  let count: Int

  func run() throws {
    let store = try SynchronousMessageStore(path: store, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let conversation = try StoryContext.conversation(of: store).id
    var generator = PictureGenerator()
    var (different, inline, bare) = (0, 0, 0)
    let page = try store.page(
      PageRequest(Selection(conversation), anchor: .oldest, fetchLimit: count, wantsCounts: false))
    for (number, message) in page.messages.enumerated() {
      guard let attachment = message.attachments.first, let sha256 = attachment.sha256 else {
        different += 1
        continue
      }
      let wanted = InlineStorePart.picture(number, &generator)
      let content = try store.openContent(sha256)
      // The store's SHA-256 is checked where it is written; here the bytes themselves are.
      if try content.read(at: 0, count: content.byteCount) != wanted { different += 1 }
      if content.path == nil { inline += 1 }
      if attachment.pictures != .made { bare += 1 }
    }
    StoryPart.tell("different", Double(different + count - page.messages.count))
    StoryPart.tell("inline", Double(inline))
    StoryPart.tell("bare", Double(bare))
  }
}
