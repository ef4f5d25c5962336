package import MessageModel

/// The part of the screen that a picture may take.
package struct PictureArea: Hashable, Sendable {
  /// The most columns and rows of a thumbnail.
  package var columns: Int
  package var rows: Int
  /// The size of a character cell in pixels.
  package var cell: PixelSize

  /// Creates a room.
  package init(columns: Int, rows: Int, cell: PixelSize) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.cell = cell
  }

  /// Returns the empty rows in which a picture will be drawn; none if there is no picture to draw.
  package func rows(for attachment: Message.Attachment, _ kind: PictureKind) -> [Row] {
    guard attachment.pictures == .made, let sha256 = attachment.sha256, let original = attachment.pixelSize
    else {
      return []
    }
    let side = kind == .thumbnail ? PictureLimits().thumbnailSide : PictureLimits().previewSide
    let field = field(for: original.fitted(to: side))
    let key = PictureKey(sha256: sha256, kind: kind, columns: field.columns, rows: field.rows)
    return (0..<field.rows).map { row in
      var empty = Row()
      empty.picture = PictureSlot(key: key, row: row)
      return empty
    }
  }

  /// The columns and rows in which a picture is as large as it can be, in its own ratio: not larger than it is, never
  /// smaller than a cell.
  func field(for size: PixelSize) -> (columns: Int, rows: Int) {
    guard size.width > 0, size.height > 0, cell.width > 0, cell.height > 0 else { return (1, 1) }
    let scale = min(
      1, Double(columns * cell.width) / Double(size.width), Double(rows * cell.height) / Double(size.height))
    func cells(_ length: Int, _ cell: Int, atMost most: Int) -> Int {
      min(most, max(1, Int((Double(length) * scale / Double(cell)).rounded())))
    }
    return (cells(size.width, cell.width, atMost: columns), cells(size.height, cell.height, atMost: rows))
  }
}

extension PixelSize {
  /// The size with this longest side in the same ratio; the same size if it is smaller.
  fileprivate func fitted(to side: Int) -> PixelSize {
    let longest = max(width, height)
    guard longest > side else { return self }
    func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
    return PixelSize(width: scaled(width), height: scaled(height))
  }
}
