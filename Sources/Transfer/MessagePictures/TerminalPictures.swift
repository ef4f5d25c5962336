#if TerminalPictures
  internal import CPictures
  package import MessageModel
  internal import Synchronization

  /// Draws pictures with libchafa: by the protocol of kitty or iTerm2, as sixels, or as half blocks.
  package final class TerminalPictures: PictureDrawer {
    package let cell: PixelSize
    private let environment: [String: String]
    private let drawsBlocks: Bool
    /// `nil` until the first picture: detecting it loads libchafa, for which the first screen would wait.
    private let detected = Mutex<OpaqueTerminal?>(nil)

    /// An immutable C object, safe to read from any thread.
    private struct OpaqueTerminal: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// Detects the terminal's abilities from the environment; it sends no query, since a late reply would be
    /// taken for keys. `SCROLLBACK_PICTURES` overrides what is detected.
    ///
    /// - Parameter cell: The size of a character cell in pixels; if `nil`, only half blocks are drawn.
    package init(environment: [String: String], cell: PixelSize?) {
      self.environment = environment
      drawsBlocks = cell == nil
      self.cell = cell ?? PixelSize(width: 8, height: 16)
    }

    deinit { if let terminal = detected.withLock({ $0 }) { cpictures_terminal_free(terminal.pointer) } }

    package var erasing: String {
      guard let terminal, cpictures_terminal_mode(terminal.pointer) == CPICTURES_KITTY else { return "" }
      // Deletes all placements at the cursor, and their data:
      // <https://sw.kovidgoyal.net/kitty/graphics-protocol/#deleting-images>
      return "\u{1B}_Ga=d,d=C,q=2\u{1B}\\"
    }

    /// `nil` without libchafa.
    private var terminal: OpaqueTerminal? {
      detected.withLock { detected in
        if detected == nil { detected = detect() }
        return detected
      }
    }

    private func detect() -> OpaqueTerminal? {
      var strings: [UnsafeMutablePointer<CChar>?] = environment.map { Self.copy("\($0.key)=\($0.value)") }
      defer { for string in strings { string?.deallocate() } }
      strings.append(nil)
      guard let pointer = cpictures_terminal_of(&strings) else { return nil }
      if drawsBlocks { cpictures_terminal_keep_to_blocks(pointer) }
      return OpaqueTerminal(pointer: pointer)
    }

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
      let bytes = text.utf8CString
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      bytes.withUnsafeBufferPointer {
        copy.initialize(from: $0.baseAddress ?? UnsafePointer(copy), count: $0.count)
      }
      return copy
    }

    package func draw(_ file: [UInt8], columns: Int, rows: Int) throws(PictureRefusal) -> DrawnPicture {
      guard let terminal else { throw .unknownFormat }
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
