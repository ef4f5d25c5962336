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
