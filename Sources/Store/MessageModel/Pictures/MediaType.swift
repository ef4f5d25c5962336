/// Determines media types by content rather than name.
package enum MediaType {
  /// The number of bytes that are examined, from the start of the content.
  package static let sampleByteCount = 4_096

  /// Returns the media type of a content: `text/plain` for UTF-8 without control characters,
  /// `application/octet-stream` if unknown.
  package static func sniffed(_ start: [UInt8]) -> String {
    if let picture = PictureFormat(sniffing: start) { return picture.mediaType }
    if let found = signatures.first(where: { $0.fits(start) }) { return found.type }
    if start.count >= 12 {
      if start[4..<8].elementsEqual("ftyp".utf8) { return container(start) }
      if start.starts(with: Array("RIFF".utf8)), start[8..<12].elementsEqual("WAVE".utf8) {
        return "audio/wav"
      }
    }
    if start.count >= 3, start[0] == 0xFF, start[1] & 0xE6 == 0xE2 { return "audio/mpeg" }
    return text(start) ?? "application/octet-stream"
  }

  /// Refines a sniffed type by the sender's claim.
  ///
  /// A claim is used only if it is a more specific type of text or of ZIP archive.
  package static func refined(_ sniffed: String, by claimed: String?) -> String {
    guard let claimed = claimed?.lowercased(), isPlain(claimed) else { return sniffed }
    switch sniffed {
    case "text/plain":
      return claimed.hasPrefix("text/") && claimed != "text/html" || claimed == "application/json"
        ? claimed : sniffed
    case "application/zip":
      return claimed.hasPrefix("application/") && claimed.contains("zip") || isOffice(claimed)
        ? claimed : sniffed
    default: return sniffed
    }
  }

  private static func isOffice(_ type: String) -> Bool {
    type.hasPrefix("application/vnd.openxmlformats-") || type.hasPrefix("application/vnd.oasis.")
  }

  private static func isPlain(_ type: String) -> Bool {
    type.utf8.count <= 127 && type.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != 0x3B && $0 != 0x22 }
  }

  private struct Signature {
    var bytes: [UInt8]
    var type: String

    func fits(_ start: [UInt8]) -> Bool { start.starts(with: bytes) }
  }

  private static let signatures: [Signature] = [
    Signature(bytes: Array("%PDF-".utf8), type: "application/pdf"),
    Signature(bytes: Array("OggS".utf8), type: "audio/ogg"),
    Signature(bytes: Array("fLaC".utf8), type: "audio/flac"),
    Signature(bytes: Array("ID3".utf8), type: "audio/mpeg"),
    Signature(bytes: [0x1A, 0x45, 0xDF, 0xA3], type: "video/webm"),
    Signature(bytes: [0x50, 0x4B, 0x03, 0x04], type: "application/zip"),
    Signature(bytes: [0x50, 0x4B, 0x05, 0x06], type: "application/zip"),
    Signature(bytes: [0x1F, 0x8B], type: "application/gzip"),
    Signature(bytes: [0x49, 0x49, 0x2A, 0x00], type: "image/tiff"),
    Signature(bytes: [0x4D, 0x4D, 0x00, 0x2A], type: "image/tiff"),
    Signature(bytes: Array("SQLite format 3".utf8) + [0], type: "application/vnd.sqlite3"),
  ]

  /// The brand of an ISO base media file (ISO/IEC 14496-12, 4.3).
  private static func container(_ start: [UInt8]) -> String {
    switch String(decoding: start[8..<12], as: UTF8.self) {
    case "heic", "heix", "mif1", "msf1": "image/heic"
    case "avif", "avis": "image/avif"
    case "M4A ", "M4B ": "audio/mp4"
    case "qt  ": "video/quicktime"
    default: "video/mp4"
    }
  }

  private static func text(_ start: [UInt8]) -> String? {
    guard !start.contains(where: { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 12 && $0 != 13 && $0 != 27 }),
      isUTF8(start[...])
    else { return nil }
    let head = String(decoding: start.prefix(256), as: UTF8.self).lowercased()
    let trimmed = head.drop { $0.isWhitespace }
    if trimmed.hasPrefix("<!doctype html") || trimmed.hasPrefix("<html") { return "text/html" }
    if trimmed.hasPrefix("<svg") || trimmed.hasPrefix("<?xml") && trimmed.contains("<svg") {
      return "image/svg+xml"
    }
    return "text/plain"
  }

  /// A character cut off at the end of a sample is valid.
  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    for cut in 0...3 where bytes.count >= cut {
      if String(validating: bytes.dropLast(cut), as: UTF8.self) != nil {
        return cut == 0 || bytes.count >= sampleByteCount
      }
    }
    return false
  }
}

/// A picture format, recognised by content rather than name.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png, gif, webp

  package var mediaType: String { "image/\(rawValue)" }

  /// Twelve bytes suffice.
  package init?(sniffing bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(12))
    if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if start.count == 12, start.starts(with: Array("RIFF".utf8)),
      start[8...].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else {
      return nil
    }
  }
}
