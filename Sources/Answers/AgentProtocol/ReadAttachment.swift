internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

struct AttachmentPlace: Decodable {
  var id: Message.ID
  /// Its index among the message's attachments; `nil` for the first.
  var index: Int?
  /// The first byte of its text to return.
  var textFrom: Int?
}

/// What an agent can read of an attachment: facts, the text of a text file, the picture of a picture file.
struct ReadAttachment {
  let facts: Facts
  /// The bytes of a picture, and their media type.
  private(set) var picture: (bytes: [UInt8], type: String)?

  struct Facts: Encodable {
    let answer = "attachment"
    var name: String
    var type: String?
    var bytes: Int?
    var width: Int?
    var height: Int?
    var milliseconds: Int?
    var attachments: Int
    var text: String?
    var more: [Continuation]?
    /// Whether the picture is reduced, or why neither a text nor a picture is returned.
    var note: String?

    private enum CodingKeys: CodingKey {
      case answer, name, type, bytes, width, height, milliseconds, attachments, text, more, note
    }
  }

  /// The maximum size of a picture, in bytes; Base64 adds a third.
  static let maxPicture = 45_000
  /// The picture types that models accept.
  private static let pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]
  private static let longestName = 300

  init(_ place: AttachmentPlace, in store: SynchronousMessageStore) throws(StoreError) {
    let files = try store.attachments(of: place.id)
    let index = place.index ?? 0
    guard files.indices.contains(index) else {
      throw StoreError(
        .notFound, "message #\(place.id) has no attachment \(index)",
        cause: files.isEmpty ? "nothing is attached to it" : "it has \(files.count), counted from 0",
        remedy: .words("search_messages with has:attachment, list_shared with \"sort\":\"files\""))
    }
    let file = files[index]
    var facts = Facts(
      name: String(file.name.utf8Part(from: 0, count: Self.longestName)), type: file.mediaType,
      bytes: file.byteCount, width: file.pixelSize?.width, height: file.pixelSize?.height,
      milliseconds: file.durationMilliseconds, attachments: files.count)
    if file.isStored, let sha256 = file.sha256 {
      if let found = try Self.picture(of: file, sha256, store) {
        facts.note = found.isWhole ? nil : "the picture is reduced in size"
        picture = (found.bytes, found.type)
      } else if !(try Self.readText(of: sha256, from: place.textFrom ?? 0, store, into: &facts)) {
        facts.note = "its content is neither text nor a picture that fits an answer"
      }
    } else {
      facts.note = "its content is not in the store"
    }
    self.facts = facts
  }

  private static func picture(
    of file: Message.Attachment, _ sha256: String, _ store: SynchronousMessageStore
  ) throws(StoreError) -> (bytes: [UInt8], type: String, isWhole: Bool)? {
    if let type = file.mediaType, pictureTypes.contains(type), (file.byteCount ?? .max) <= maxPicture {
      return (try store.content(sha256), type, true)
    }
    guard file.pictures == .made else { return nil }
    for kind in [PictureKind.preview, .thumbnail] {
      guard let small = try store.picture(kind, of: sha256) else { continue }
      let bytes = try store.content(small.sha256)
      if bytes.count <= maxPicture { return (bytes, small.mediaType, false) }
    }
    return nil
  }

  /// Reads a part of a text into `facts`; `false` if it is no text.
  private static func readText(
    of sha256: String, from start: Int, _ store: SynchronousMessageStore, into facts: inout Facts
  ) throws(StoreError) -> Bool {
    let content = try store.openContent(sha256)
    let first = max(0, min(start, content.byteCount))
    // Three bytes more, to complete a character that the limit would cut.
    let bytes = try content.read(
      at: first, count: min(AgentAnswers.textByteLimit + 3, content.byteCount - first))
    let isAll = first + bytes.count == content.byteCount
    var part = bytes.drop { $0 & 0xC0 == 0x80 }
    if !isAll { part = part.prefix(AgentAnswers.textByteLimit) }
    while !isAll, let last = part.last, last & 0xC0 == 0x80 { part.removeLast() }
    if !isAll, let last = part.last, last >= 0xC0 { part.removeLast() }
    guard !part.contains(0), let text = String(validating: part, as: UTF8.self) else { return false }
    facts.text = text
    let end = part.endIndex + first
    if end < content.byteCount { facts.more = [Continuation(.next, .textFrom(end))] }
    return true
  }
}
