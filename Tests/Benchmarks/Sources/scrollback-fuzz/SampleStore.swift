internal import Foundation
import HistoryModel
internal import MessageModel
internal import MessageStorage

/// A small store with one of everything. It is made once; an input gets a copy of it.
enum SampleStore {
  /// A folder in memory, for this process alone.
  static let folder: String = {
    let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let path = "\(memory)/scrollback-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    // libFuzzer leaves by exit, and by a signal where something is wrong: then the next run takes the folder away.
    atexit { try? FileManager.default.removeItem(atPath: SampleStore.folder) }
    return path
  }()

  /// The time at which all that is made up happens.
  static let now = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 15, hour: 12))

  /// The bytes of the file.
  static let bytes: [UInt8] = {
    let path = folder + "/sample.db"
    do {
      let store = try opened(path, .create)
      try fill(store)
      store.close()
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      mistake("There is no sample: \(error)")
    }
  }()

  /// The messages in it, by their ids.
  static let records: [Message.ID: MessageRecord] = {
    let path = folder + "/records.db"
    write(bytes, to: path)
    guard let store = try? opened(path, .readOnly),
      let all = try? store.records(PageRequest(.everything, anchor: .oldest, fetchLimit: 1_000)).records
    else { mistake("The sample cannot be read.") }
    store.close()
    return Dictionary(uniqueKeysWithValues: all.map { ($0.message.id, $0) })
  }()

  /// Puts a store in the place of the one before, and returns its path.
  static func place(_ bytes: [UInt8] = bytes) -> String {
    let path = folder + "/store.db"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix("store.db") || name.hasPrefix(".") {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    write(bytes, to: path)
    return path
  }

  static func opened(_ path: String, _ access: StoreOptions.Access) throws(StoreError)
    -> SynchronousMessageStore
  {
    try SynchronousMessageStore(
      path: path,
      options: StoreOptions(
        access: access, durability: .process, previewByteCount: 64, readerCount: 1,
        busyTimeout: .milliseconds(100)),
      clock: { now })
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { mistake("There is no room at \(path).") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  // MARK: What is in it

  private static let texts = [
    "good morning", "tea?", "Tea, please: two cups", "green tea and black tea",
    "see https://example.org/a?b=c",
    "c++ and C#", "#channel is open", "alice@example.org", "naïve café", "早上好", "it's", "a_b-c.d",
    "3.14 or 42",
    "wobbly wobble", "ÄÖÜ äöü ß", "", "end", "red tape", "tea tea tea", "kettle\nin two lines",
    String(repeating: "long tea ", count: 40), "👍🏽 yes", "\u{1B}[31mred", "no", "😀",
  ]

  private static func fill(_ store: SynchronousMessageStore) throws {
    let load = try BulkImport(into: store, .init(name: "sample", format: "jsonl", zone: "UTC"))
    try load.add(entries())
    _ = try load.finish()
    let ids = try store.page(PageRequest(.everything, anchor: .oldest, fetchLimit: 100)).messages.map(\.id)
    let general = try store.conversation(named: "general")?.id ?? Conversation.ID(rawValue: 1)
    try store.edit(ids[3], text: "white tea")
    try store.react("👍", to: ids[4], by: "bob")
    try store.attach([NewAttachment(Array("hello".utf8), name: "b.txt")], to: ids[5])
    _ = try store.delete([ids[6]])
    _ = try store.append(
      [NewMessage("an answer", from: "carol", replyTo: .message(ids[1]), thread: .message(ids[0]))],
      to: general)
    _ = try store.append(
      [NewMessage("kept", from: "dora", payload: [1, 2, 3], sendingState: .waiting)], to: general)
    try store.setMark(NamedMark(name: "here", conversation: general, message: ids[2]))
    try store.markRead(general, upTo: ids[8])
    try store.saveFilter(named: "links", words: "has:link", predicate: .has(.link))
    try store.saveFilter(named: "teatime", words: "regex:te+a", predicate: .regex("te+a"))
    try store.countMessages(ofFilter: "teatime") { _, _ in true }
  }

  private static func entries() -> ImportBatch {
    let start = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1, hour: 12))
    var batch = ImportBatch()
    let rooms = ["general", "random", "#tea"].map { batch.conversation(named: $0) }
    let senders = ["alice", "bob", "Zoë"].map { batch.store($0) }
    let kinds: [Message.Kind] = [.text, .text, .action, .text, .join, .notice]
    for (index, text) in texts.enumerated() {
      let place = batch.append(
        ImportBatch.Entry(
          time: start.advanced(byMilliseconds: Int64(index / 2) * 7_200_000), precision: .minute,
          kind: kinds[index % kinds.count], conversation: rooms[index * index % 3],
          sender: index % 7 == 6 ? .none : senders[index % 3], text: batch.store(text)))
      guard index % 4 == 1 else { continue }
      var details = ImportDetails()
      details.source = Message.Source(
        platform: "slack", id: "C/\(index)", original: "{\"text\":\"\(index)\"}")
      details.replyTo = .external("C/\(index - 4)")
      details.thread = .external("C/1")
      details.edits = [Message.Edit(time: start, text: "before \(index)")]
      details.reactions = [Message.Reaction(emoji: "🫖", senders: ["bob", "alice"])]
      details.attachments = [Message.Attachment(name: "a.png", mediaType: "image/png", byteCount: 10)]
      details.senderID = "U\(index % 3)"
      batch.details[place] = details
    }
    return batch
  }
}
