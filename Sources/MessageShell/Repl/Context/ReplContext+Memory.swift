internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

extension ReplContext {
  /// How much memory is held, and by what, a line per figure.
  ///
  /// - Parameters:
  ///   - header: That of the window, if there is one.
  ///   - pictureByteCount: What is drawn of pictures.
  func memoryLines(_ header: WindowHeader?, pictureByteCount: Int = 0) -> [String] {
    let memory = ProcessMemory.now()
    var rows = [
      ["memory in use", NumberText.bytes(memory.residentByteCount)],
      ["memory at most", NumberText.bytes(memory.peakByteCount)],
    ]
    if let header {
      rows.append(["messages held", NumberText.grouped(header.count)])
      rows.append(["  their size", NumberText.bytes(header.byteCount)])
    }
    if showsPictures { rows.append(["pictures drawn", NumberText.bytes(pictureByteCount)]) }
    rows += MemoryTable.rows(of: MemoryFigures(store.memory()))
    return Self.lines(TextTable.text(rows))
  }
}
