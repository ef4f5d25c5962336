internal import MessageModel
internal import MessageWindows

extension ReplContext {
  /// How much memory is held, and by what, a line per figure.
  ///
  /// - Parameter header: That of the window, if there is one.
  func memoryLines(_ header: WindowHeader?) -> [String] {
    let memory = ProcessMemory.now()
    var rows = [
      ["memory in use", NumberText.bytes(memory.residentByteCount)],
      ["memory at most", NumberText.bytes(memory.peakByteCount)],
    ]
    if let header {
      rows.append(["messages held", NumberText.grouped(header.count)])
      rows.append(["  their size", NumberText.bytes(header.byteCount)])
    }
    if let held = store.heldMemory() { rows += MemoryFigures.rows(of: held) }
    return Self.lines(TextTable.text(rows))
  }
}
