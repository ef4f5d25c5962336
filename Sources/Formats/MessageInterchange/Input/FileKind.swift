enum FileKind {
  /// Anything libarchive opens.
  case archive
  /// A picture, sound, film or document, as attachments beside histories are.
  case attachment(String)
  case other

  static let sampleByteCount = 512

  init(_ start: UnsafeRawBufferPointer) {
    if Self.archives.contains(where: { $0.fits(start) }) {
      self = .archive
    } else if let found = Self.attachments.first(where: { $0.fits(start) }) {
      self = .attachment(found.name)
    } else {
      self = .other
    }
  }

  private struct Magic {
    var name: String
    var offset = 0
    var bytes: [UInt8]

    func fits(_ start: UnsafeRawBufferPointer) -> Bool {
      start.count >= offset + bytes.count && start[offset..<offset + bytes.count].elementsEqual(bytes)
    }
  }

  private static let archives = [
    Magic(name: "gzip", bytes: [0x1F, 0x8B, 0x08]),
    Magic(name: "xz", bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    Magic(name: "zstd", bytes: [0x28, 0xB5, 0x2F, 0xFD]),
    Magic(name: "bzip2", bytes: Array("BZh".utf8)),
    Magic(name: "zip", bytes: [0x50, 0x4B, 0x03, 0x04]),
    Magic(name: "empty zip", bytes: [0x50, 0x4B, 0x05, 0x06]),
    Magic(name: "tar", offset: 257, bytes: Array("ustar".utf8)),
  ]

  private static let attachments = [
    Magic(name: "a JPEG picture", bytes: [0xFF, 0xD8, 0xFF]),
    Magic(name: "a PNG picture", bytes: [0x89, 0x50, 0x4E, 0x47]),
    Magic(name: "a GIF picture", bytes: Array("GIF8".utf8)),
    Magic(name: "a WebP picture", offset: 8, bytes: Array("WEBP".utf8)),
    Magic(name: "a film or sound", offset: 4, bytes: Array("ftyp".utf8)),
    Magic(name: "a sound", bytes: Array("OggS".utf8)),
    Magic(name: "a sound", bytes: Array("ID3".utf8)),
    Magic(name: "a film", bytes: [0x1A, 0x45, 0xDF, 0xA3]),
    Magic(name: "a PDF document", bytes: Array("%PDF-".utf8)),
  ]
}

/// How browsers treat a file on disk: by the extension alone, whatever the content, and ignoring a link's
/// `download` (Chromium 156).
package enum FileEnding {
  /// Whether a browser only shows or plays files with this name and runs nothing in them.
  package static func isInert(_ name: String) -> Bool { inert.contains(ending(of: name)) }

  /// Appends `.txt` to a name unless browsers are known to run nothing in such a file: pages, SVG, XML,
  /// scripts and unknown types are shown as text then.
  package static func harmless(_ name: String) -> String {
    let ending = ending(of: name)
    return inert.contains(ending) || saved.contains(ending) ? name : name + ".txt"
  }

  private static func ending(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  private static let inert: Set<String> = [
    "avif", "bmp", "gif", "heic", "jpeg", "jpg", "png", "tif", "tiff", "webp", "aac", "flac", "m4a", "mp3",
    "oga", "ogg", "opus", "wav", "m4v", "mkv", "mov", "mp4", "ogv", "webm", "txt",
  ]

  /// Extensions that browsers save, or show in their own viewer.
  private static let saved: Set<String> = [
    "csv", "log", "md", "pdf", "zip", "gz", "7z", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods",
    "odp", "epub",
  ]
}
