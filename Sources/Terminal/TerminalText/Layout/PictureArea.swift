internal import HistoryModel
package import MessageModel

/// The area of the screen for a picture.
package struct PictureArea: Hashable, Sendable {
  /// The greatest width of a thumbnail in cells.
  package var columns: Int
  package var rows: Int
  /// The size of a character cell in pixels.
  package var cell: PixelSize

  package init(columns: Int, rows: Int, cell: PixelSize) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.cell = cell
  }

  /// Returns empty rows for a picture; none if there is no picture to draw.
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

  /// The largest field with the picture's ratio, never larger than the picture or smaller than a cell.
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
  fileprivate func fitted(to side: Int) -> PixelSize {
    let longest = max(width, height)
    guard longest > side else { return self }
    func scaled(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
    return PixelSize(width: scaled(width), height: scaled(height))
  }
}

/// The identity of a drawn picture: its content and its size in cells.
package struct PictureKey: Hashable, Sendable {
  package var sha256: String
  package var kind: PictureKind
  package var columns: Int
  package var rows: Int
}

/// A row of a picture's field, drawn when the row is in view.
package struct PictureSlot: Hashable, Sendable {
  package var key: PictureKey
  package var row: Int
  package var column = 0
  /// The output that draws the row; `nil` until drawn.
  package var strip: String?
}
