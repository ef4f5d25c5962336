internal import Foundation
internal import HistoryQueries
internal import MessageInterchange
internal import MessageMarkup
internal import MessageModel
internal import MessageStorage

/// A message in a site: the JSON Lines form without its imported original, an app's payload and its
/// conversation's identity, and with file paths within the site.
struct SiteMessage {
  let id: Message.ID
  let precision: TimePrecision
  let moment: Timestamp
  let sender: String?
  let text: String
  let beginning: String
  let json: [UInt8]
  /// What pages without scripts show, with its files as they lie from there.
  let record: ExportRecord
  /// The number of files not written because they are damaged.
  let failedFileCount: Int

  private static let beginningLength = 200

  init(
    _ record: MessageRecord, _ conversation: String, as dialect: MarkupDialect, _ files: SiteFiles
  ) throws {
    var whole = ExportRecord(record, conversation: conversation)
    files.site.redaction?.apply(to: &whole)
    whole.source?.original = nil
    whole.payload = nil
    // Stars are private to the store's owner.
    whole.starredAt = nil
    whole.conversationIdentity = nil
    for index in whole.reactions.indices {
      whole.reactions[index].emoji = EmojiTable.shown(whole.reactions[index].emoji)
    }
    let attachments = whole.attachments
    whole.attachments = []
    (id, precision, sender, text) = (whole.id, whole.precision, whole.sender, whole.text)
    moment = whole.moment
    var (json, failedCount) = ([UInt8](), 0)
    var lines = JSONLinesExport()
    lines.write(whole, to: &json)
    json.removeLast()
    let marks = MarkAnswer.marks(of: text, as: whole.kind.mayBeMarked ? dialect : .plain, isCut: false)
    beginning = Markup.beginning(of: text, as: marks == nil ? .none : dialect, length: Self.beginningLength)
    if let marks {
      json.removeLast()
      json.append(",\"marks\":")
      json += try AnswerEncoder.bytes(of: marks)
      json.append("}")
    }
    whole.dialect = dialect
    whole.hasFilesBeside = true
    if !attachments.isEmpty {
      let placed = try attachments.map { try files.place($0, &failedCount) }
      whole.attachments = zip(attachments, placed).map { file, placed in
        var file = file
        (file.path, file.isStored) = (placed.path.map { "../../\($0)" }, placed.path != nil)
        return file
      }
      json.removeLast()
      json.append(",\"attachments\":")
      json += try AnswerEncoder.bytes(of: placed)
      json.append("}")
    }
    (self.json, failedFileCount, self.record) = (json, failedCount, whole)
  }
}

/// Messages that a browser loads together: neighbours of one conversation, or of several small ones.
struct SitePiece {
  private var runs: [Run] = []
  private(set) var count = 0
  private(set) var failedFileCount = 0
  private var byteCount = 0

  static let maxCount = 500
  static let maxByteCount = 255 << 10
  /// The most bytes of a run, and of a day, besides their messages.
  private static let runByteCount = 100
  private static let dayByteCount = 50

  fileprivate struct Run {
    let conversation: Conversation.ID
    let firstNumber: Int
    var days: [SiteDay] = []
    var messages: [SiteMessage] = []
  }

  /// Whether a message fits; the first one always does.
  func hasRoom(for message: SiteMessage) -> Bool {
    count == 0 || count < Self.maxCount && byteCount + message.json.count < Self.maxByteCount
  }

  mutating func append(
    _ message: SiteMessage, of conversation: Conversation.ID, number: Int, day: String
  ) {
    if runs.last?.conversation != conversation {
      runs.append(Run(conversation: conversation, firstNumber: number))
      byteCount += Self.runByteCount
    }
    if runs[runs.count - 1].add(message, number: number, day: day) { byteCount += Self.dayByteCount }
    count += 1
    failedFileCount += message.failedFileCount
    byteCount += message.json.count + 1
  }

  func eachText(_ body: (String) -> Void) {
    for run in runs { for message in run.messages { body(message.text) } }
  }

  func script() throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + 64)
    bytes.append("{\"runs\":[")
    for (index, run) in runs.enumerated() {
      if index > 0 { bytes.append(",") }
      try run.write(to: &bytes)
    }
    bytes.append("]}")
    return bytes
  }
}

extension SitePiece.Run {
  mutating func add(_ message: SiteMessage, number: Int, day: String) -> Bool {
    messages.append(message)
    if days.last?.name == day {
      days[days.count - 1].count += 1
      return false
    }
    days.append(SiteDay(day, count: 1, firstNumber: number))
    return true
  }

  func write(to bytes: inout [UInt8]) throws {
    bytes.append("{\"conversation\":")
    bytes.append(decimal: Int64(conversation.rawValue))
    bytes.append(",\"first\":")
    bytes.append(decimal: Int64(firstNumber))
    bytes.append(",\"days\":")
    bytes += try AnswerEncoder.bytes(of: days)
    bytes.append(",\"messages\":[")
    for (index, message) in messages.enumerated() {
      if index > 0 { bytes.append(",") }
      bytes += message.json
    }
    bytes.append("]}")
  }
}

struct SiteFiles {
  let store: SynchronousMessageStore
  let site: SiteFolder

  private static let folder = "files"
  private static let staging = "files/new"
  private static let nameLength = 32
  private static let thumbnails = "files/thumbnails"

  init(store: SynchronousMessageStore, site: SiteFolder) { (self.store, self.site) = (store, site) }

  struct Placed: Encodable {
    var name: String
    var type: String?
    var bytes: Int?
    var path: String?
    var width: Int?
    var height: Int?
    var milliseconds: Int?
    var thumbnail: String?

    init(_ file: Message.Attachment) {
      (name, type, bytes, milliseconds) = (
        file.name, file.mediaType, file.byteCount, file.durationMilliseconds
      )
      (width, height) = (file.pixelSize?.width, file.pixelSize?.height)
    }
  }

  /// Writes a stored file unless it exists: each content once, under its first name.
  func place(_ file: Message.Attachment, _ failedCount: inout Int) throws -> Placed {
    var placed = Placed(file)
    guard file.isStored, let sha256 = file.sha256 else { return placed }
    let folder = "\(Self.folder)/\(sha256.prefix(Self.nameLength))"
    do {
      guard let name = try name(of: file, in: folder) else { return placed }
      placed.path = "\(folder)/\(name)"
    } catch let error as StoreError where error.kind == .damaged {
      failedCount += 1
      return placed
    }
    placed.thumbnail = try thumbnail(of: file)
    return placed
  }

  /// The file name of a content, renamed into place once complete; `nil` if redacted.
  private func name(of file: Message.Attachment, in folder: String) throws -> String? {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: site.path(of: folder))) ?? []
    if let name = found.first { return name }
    var named = file
    named.name = SafeFileName(FileEnding.harmless(file.name)).text
    try site.makeFolder(Self.staging)
    let staged = try store.place(named, in: site.path(of: Self.staging))
    if let redaction = site.redaction {
      let place = "\(Self.staging)/\(staged)"
      try redaction.look(atName: named.name)
      guard redaction.mayWrite(fileAt: site.path(of: place), named: named.name) else {
        site.remove(place)
        return nil
      }
    }
    try site.makeFolder(folder)
    try site.rename("\(Self.staging)/\(staged)", to: "\(folder)/\(named.name)")
    return named.name
  }

  func finish() { site.remove(Self.staging) }

  private func thumbnail(of file: Message.Attachment) throws -> String? {
    guard file.pictures == .made, let sha256 = file.sha256,
      let picture = try store.picture(.thumbnail, of: sha256)
    else { return nil }
    let name =
      "\(Self.thumbnails)/\(picture.sha256.prefix(Self.nameLength)).\(picture.mediaType == "image/png" ? "png" : "jpg")"
    try site.write(try store.content(picture.sha256), to: name)
    return name
  }
}
