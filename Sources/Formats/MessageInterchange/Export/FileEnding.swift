/// The treatment that a browser gives a file on a disk. It goes by the ending of its name, whatever the file holds, and heeds no
/// `download` of a link to it (Chromium 156).
package enum FileEnding {
  /// Whether a browser shows or plays a file of this name and runs nothing in it.
  package static func isInert(_ name: String) -> Bool { inert.contains(ending(of: name)) }

  /// Returns a name by which a browser runs nothing in a file: pages, pictures in SVG, XML, scripts and whatever it would guess
  /// at are shown as text.
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

  /// The endings that a browser saves, or shows in a viewer of its own.
  private static let saved: Set<String> = [
    "csv", "log", "md", "pdf", "zip", "gz", "7z", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods",
    "odp", "epub",
  ]
}
