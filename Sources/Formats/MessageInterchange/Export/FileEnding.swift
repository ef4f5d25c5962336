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
