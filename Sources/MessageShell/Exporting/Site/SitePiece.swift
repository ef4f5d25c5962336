internal import HistoryQueries
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// A message as a site has it: all that JSON Lines have, but for the record that it was imported from and what an app keeps
/// with it, and where its files lie in the site.
struct SiteMessage {
  let id: Message.ID
  let precision: TimePrecision
  let sender: String?
  let text: String
  let json: [UInt8]

  init(_ record: MessageRecord, _ conversation: String, _ files: inout SiteFiles) throws {
    var whole = ExportRecord(record, conversation: conversation)
    whole.source?.original = nil
    whole.payload = nil
    let attachments = whole.attachments
    whole.attachments = []
    (id, precision, sender, text) = (whole.id, whole.precision, whole.sender, whole.text)
    var json: [UInt8] = []
    var lines = JSONLinesExport()
    lines.write(whole, to: &json)
    // Without the end of the line.
    json.removeLast()
    if !attachments.isEmpty {
      let placed = try attachments.map { try files.place($0) }
      json.removeLast()
      json.append(",\"attachments\":")
      json += try AnswerEncoder.bytes(of: placed)
      json.append("}")
    }
    self.json = json
  }
}

/// Neighbouring messages that a browser loads at once.
struct SitePiece {
  private(set) var messages: [SiteMessage] = []
  private var byteCount = 0

  static let greatestCount = 500
  static let greatestByteCount = 256 << 10

  /// Whether a message still goes in: one at least does.
  func hasRoom(for message: SiteMessage) -> Bool {
    messages.isEmpty
      || messages.count < Self.greatestCount && byteCount + message.json.count < Self.greatestByteCount
  }

  mutating func append(_ message: SiteMessage) {
    messages.append(message)
    byteCount += message.json.count + 1
  }

  /// Its value.
  func script(firstNumber: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + 64)
    bytes.append("{\"first\":")
    bytes.append(decimal: Int64(firstNumber))
    bytes.append(",\"messages\":[")
    for (index, message) in messages.enumerated() {
      if index > 0 { bytes.append(",") }
      bytes += message.json
    }
    bytes.append("]}")
    return bytes
  }
}

/// Writes what is attached into the folder `files` of a site.
struct SiteFiles {
  let store: SynchronousMessageStore
  let site: SiteFolder
  private var failedCount = 0

  private static let folder = "files"
  private static let thumbnails = "files/thumbnails"

  init(store: SynchronousMessageStore, site: SiteFolder) { (self.store, self.site) = (store, site) }

  /// An attached file as a site tells of it.
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

  /// Writes a file, if the store has its content, under a name of its own.
  mutating func place(_ file: Message.Attachment) throws -> Placed {
    var placed = Placed(file)
    guard file.isStored else { return placed }
    try site.makeFolder(Self.folder)
    var named = file
    named.name = FileEnding.harmless(file.name)
    do throws(StoreError) {
      let name = try store.place(named, in: site.path(of: Self.folder))
      placed.path = "\(Self.folder)/\(name)"
    } catch {
      guard error.kind == .damaged else { throw error }
      failedCount += 1
      return placed
    }
    placed.thumbnail = try thumbnail(of: file)
    return placed
  }

  private func thumbnail(of file: Message.Attachment) throws -> String? {
    guard file.pictures == .made, let sha256 = file.sha256,
      let picture = try store.picture(.thumbnail, of: sha256)
    else { return nil }
    let name =
      "\(Self.thumbnails)/\(picture.sha256.prefix(32)).\(picture.mediaType == "image/png" ? "png" : "jpg")"
    try site.write(try store.content(picture.sha256), to: name)
    return name
  }

  /// How many could not be written because they are damaged, since this was asked last.
  mutating func takeFailedCount() -> Int {
    defer { failedCount = 0 }
    return failedCount
  }
}
