#if TerminalPictures
  internal import CPictures
  package import MessageModel

  /// Draws pictures with libchafa: by the protocol of kitty or iTerm2, as sixels, or as half blocks.
  package final class TerminalPictures: PictureDrawer {
    package let cell: PixelSize
    package let erasing: String
    private let terminal: OpaqueTerminal

    /// An immutable C object, safe to read from any thread.
    private struct OpaqueTerminal: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// Detects the terminal's abilities from the environment; it sends no query, since a late reply would be
    /// taken for keys. `SCROLLBACK_PICTURES` overrides what is detected.
    ///
    /// - Parameter cell: The size of a character cell in pixels; if `nil`, only half blocks are drawn.
    package init?(environment: [String: String], cell: PixelSize?) {
      var strings: [UnsafeMutablePointer<CChar>?] = environment.map { Self.copy("\($0.key)=\($0.value)") }
      defer { for string in strings { string?.deallocate() } }
      strings.append(nil)
      guard let pointer = cpictures_terminal_of(&strings) else { return nil }
      terminal = OpaqueTerminal(pointer: pointer)
      if cell == nil { cpictures_terminal_keep_to_blocks(pointer) }
      self.cell = cell ?? PixelSize(width: 8, height: 16)
      // Deletes all placements at the cursor, and their data:
      // <https://sw.kovidgoyal.net/kitty/graphics-protocol/#deleting-images>
      erasing = cpictures_terminal_mode(pointer) == CPICTURES_KITTY ? "\u{1B}_Ga=d,d=C,q=2\u{1B}\\" : ""
    }

    deinit { cpictures_terminal_free(terminal.pointer) }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      bytes.withUnsafeBufferPointer {
        copy.initialize(from: $0.baseAddress ?? UnsafePointer(copy), count: $0.count)
      }
      return copy
    }

    package func draw(_ file: [UInt8], columns: Int, rows: Int) throws(PictureRefusal) -> DrawnPicture {
      let input = try PictureInput(.bytes(file))
      let side = max(columns * cell.width, rows * cell.height)
      let picture = try DecodedPicture.decode(input, side: side, memoryByteCount: Self.memoryByteCount)
        .picture
      var image = picture.image
      var count = 0
      let start = cpictures_draw(
        terminal.pointer, &image, UInt32(columns), UInt32(rows), UInt32(cell.width), UInt32(cell.height),
        &count)
      guard let start else { throw .damaged }
      defer { cpictures_free_bytes(start) }
      withExtendedLifetime(picture) {}
      let strips = UnsafeBufferPointer(start: start, count: count).split(
        separator: 0, maxSplits: rows, omittingEmptySubsequences: false)
      return DrawnPicture(rows: strips.prefix(rows).map { String(decoding: $0, as: UTF8.self) })
    }

    /// A preview is at most 1280 pixels wide and high.
    private static let memoryByteCount = 16 << 20
  }
#endif
