internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import NIOHTTP1

struct AttachmentAnswers: Sendable {
  let served: ServedStore
  let maker: (any PictureMaker)?

  /// The types that a browser shows without running anything. It only saves all others.
  private static let shownTypes: Set<String> = [
    "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "audio/mpeg", "audio/ogg",
    "audio/flac",
    "audio/wav", "audio/mp4", "audio/webm", "video/mp4", "video/webm", "video/ogg", "video/quicktime",
    "text/plain",
  ]

  private static let pictureByteCount = 48 << 20

  func answer(
    _ id: Message.ID, _ index: Int, _ form: ServerRoute.AttachmentForm, _ headers: HTTPHeaders
  ) throws(StoreError) -> ServerAnswer {
    let file = try served.reading { store throws(StoreError) in try store.attachments(of: id) }
      .dropFirst(index).first
    guard let file, file.isStored, let sha256 = file.sha256 else {
      throw StoreError(
        .notFound, "no attachment \(index) of message #\(id)",
        cause: file == nil ? nil : "the store does not have its content")
    }
    guard mayGive(file.mediaType ?? "") else { throw Self.notShown }
    switch form {
    case .original: return try original(file, sha256, headers)
    case .thumbnail: return try picture(.thumbnail, form, of: sha256, headers)
    case .preview: return try picture(.preview, form, of: sha256, headers)
    }
  }

  /// Whether contents of a type may be sent: redaction withholds files of text.
  private func mayGive(_ type: String) -> Bool {
    served.redactor == nil || Message.Attachment.mayBeGiven(type)
  }

  private static let notShown = StoreError(
    .notFound, "this file is not shown", cause: "of what is attached pictures, sounds and films alone are")

  private func original(
    _ file: Message.Attachment, _ sha256: String, _ headers: HTTPHeaders
  ) throws(StoreError) -> ServerAnswer {
    let tag = "\"\(sha256)\""
    let (byteCount, type) = try served.reading { store throws(StoreError) in
      let content = try store.openContent(sha256)
      return (content.byteCount, content.mediaType)
    }
    guard mayGive(type) else { throw Self.notShown }
    // After the refusal, since a matching tag would tell what the file is.
    if headers.names(tag) { return .unchanged(tag) }
    let name = served.redactor?.text(file.name) ?? file.name
    var answer = ServerAnswer(fields: Self.fields(tag), body: .bytes([]))
    answer.fields += Self.fields(type: type, name: name)
    answer.fields.append(("Accept-Ranges", "bytes"))
    let isSame = headers["If-Range"].allSatisfy { $0 == tag }
    switch ByteRange(isSame ? headers.first(name: "Range") : nil, byteCount: byteCount) {
    case .whole:
      answer.body = byteCount == 0 ? .bytes([]) : .content(ContentPart(sha256: sha256, range: 0..<byteCount))
    case .part(let range):
      answer.status = .partialContent
      answer.fields.append(
        ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(byteCount)"))
      answer.body = .content(ContentPart(sha256: sha256, range: range))
    case .outside:
      answer = ServerAnswer(
        RequestRefusal(
          .rangeNotSatisfiable,
          StoreError(.invalidRequest, "cannot answer this range", cause: "the content has \(byteCount) bytes")
        ))
      answer.fields.append(("Content-Range", "bytes */\(byteCount)"))
    }
    return answer
  }

  private func picture(
    _ kind: PictureKind, _ form: ServerRoute.AttachmentForm, of sha256: String, _ headers: HTTPHeaders
  ) throws(StoreError) -> ServerAnswer {
    let tag = "\"\(sha256)-\(form)\""
    if headers.names(tag) { return .unchanged(tag) }
    var picture = try kept(kind, of: sha256)
    if picture == nil { picture = try made(kind, of: sha256) }
    guard let picture, Self.shownTypes.contains(picture.type) else {
      throw StoreError(.notFound, "no \(form) of this attachment")
    }
    var answer = ServerAnswer(fields: Self.fields(tag), body: .bytes(picture.bytes))
    answer.fields.append(("Content-Type", picture.type))
    return answer
  }

  private typealias Picture = (type: String, bytes: [UInt8])

  private func kept(_ kind: PictureKind, of sha256: String) throws(StoreError) -> Picture? {
    try served.reading { store throws(StoreError) in
      guard let picture = try store.picture(kind, of: sha256) else { return nil }
      return (picture.mediaType, try store.content(picture.sha256))
    }
  }

  /// Makes a small picture that the store does not have, without storing it: the server only reads.
  private func made(_ kind: PictureKind, of sha256: String) throws(StoreError) -> Picture? {
    guard let maker else { return nil }
    let source: PictureSource? = try served.reading { store throws(StoreError) in
      let content = try store.openContent(sha256)
      guard content.mediaType.hasPrefix("image/") else { return nil }
      if let path = content.path { return .file(path: path) }
      return .bytes(try content.read(at: 0, count: content.byteCount))
    }
    var limits = PictureLimits()
    limits.memoryByteCount = Self.pictureByteCount
    guard let source, let pictures = try? maker.pictures(of: source, limits: limits) else { return nil }
    let picture = kind == .preview ? pictures.preview ?? pictures.thumbnail : pictures.thumbnail
    return (picture.mediaType, picture.bytes)
  }

  private static func fields(_ tag: String) -> [(String, String)] {
    [
      ("ETag", tag), ("Cache-Control", "private, no-cache"),
      ("Content-Security-Policy", ServerAnswer.policyOfNothing),
    ]
  }

  private static func fields(type: String, name: String) -> [(String, String)] {
    let isShown = shownTypes.contains(type)
    let told =
      isShown ? (type == "text/plain" ? "text/plain; charset=utf-8" : type) : "application/octet-stream"
    return [
      ("Content-Type", told),
      ("Content-Disposition", "\(isShown ? "inline" : "attachment"); filename*=UTF-8''\(escaped(name))"),
    ]
  }

  /// Escapes a name so that it cannot leave its header field or a folder (RFC 8187).
  private static func escaped(_ name: String) -> String {
    SafeFileName(name).text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension HTTPHeaders {
  func names(_ tag: String) -> Bool {
    self["If-None-Match"].contains { field in
      field.split(separator: ",").contains { one in
        let one = one.drop { $0 == " " }
        return (one.hasPrefix("W/") ? one.dropFirst(2) : one).prefix { $0 != " " } == tag
      }
    }
  }
}

/// A part of a content, read piece by piece as the client takes it. Each piece is read in a transaction of
/// its own, which ends before the piece is sent.
struct ContentPart: Hashable, Sendable {
  let sha256: String
  var range: Range<Int>

  /// Removes and reads a piece at the front.
  mutating func next(byteCount: Int, of served: ServedStore) throws(StoreError) -> [UInt8] {
    let count = min(byteCount, range.count)
    let piece = try served.reading { store throws(StoreError) in
      try store.openContent(sha256).read(at: range.lowerBound, count: count)
    }
    guard !piece.isEmpty, piece.count <= range.count else {
      throw StoreError(.damaged, "cannot read content \(sha256.prefix(12))", cause: "it has become shorter")
    }
    range = (range.lowerBound + piece.count)..<range.upperBound
    return piece
  }
}

/// The requested part of a content (RFC 9110, section 14).
enum ByteRange: Hashable {
  case whole
  case part(Range<Int>)
  case outside

  /// Parses a `Range` field. Several ranges, other units and invalid values mean the whole, as the RFC
  /// allows.
  init(_ field: String?, byteCount: Int) {
    guard let field, field.hasPrefix("bytes="), !field.contains(",") else {
      self = .whole
      return
    }
    let bounds = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      self = .whole
      return
    }
    switch (Int(bounds[0]), Int(bounds[1])) {
    case (nil, nil): self = bounds.allSatisfy(\.isEmpty) ? .whole : .outside
    case (nil, let count?):
      // An overflowing number lies beyond any end.
      self = bounds[0].isEmpty ? .last(count, of: byteCount) : .outside
    case (let first?, nil): self = .from(first, to: byteCount - 1, of: byteCount)
    case (let first?, let last?):
      self = first <= last ? .from(first, to: min(last, byteCount - 1), of: byteCount) : .whole
    }
  }

  private static func from(_ first: Int, to last: Int, of byteCount: Int) -> ByteRange {
    first < byteCount ? .part(first..<(last + 1)) : .outside
  }

  private static func last(_ count: Int, of byteCount: Int) -> ByteRange {
    count > 0 && byteCount > 0 ? .part((byteCount - min(count, byteCount))..<byteCount) : .outside
  }
}
