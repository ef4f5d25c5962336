internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// Imports, with a connection of its own to the store.
  func load(
    _ request: TransferRequest, redraw: @escaping (String) -> Void, isCancelled: () -> Bool
  ) throws -> ImportCommand.Outcome {
    let command = try request.importCommand(zone: zone)
    let other = try store.reopened()
    defer { other.close() }
    return try command.load(into: other, note: { _ in }, redraw: redraw, isCancelled: isCancelled)
  }

  /// Exports what is shown, with a connection of its own to the store.
  ///
  /// - Parameters:
  ///   - redraw: Takes how far it has come.
  ///   - isCancelled: Whether to stop; nothing is left behind then.
  /// - Returns: The line that says what was written.
  func export(
    _ request: TransferRequest, redraw: @escaping (String) -> Void, isCancelled: () -> Bool
  ) throws -> String {
    let target = try request.exportTarget(zone: zone)
    let other = try store.reopened()
    defer { other.close() }
    let file = try OutputFile(path: target.path)
    var byteCount = 0
    let command = ExportCommand(choice: .named([conversation.name]), predicate: selection.predicate)
    do {
      let count = try command.run(other, format: target.format) { bytes in
        if isCancelled() { throw StoreError(.cancelled, "stopped exporting") }
        try file.write(bytes)
        byteCount += bytes.count
        redraw("exporting \(NumberText.bytes(byteCount))")
      }
      try file.finish()
      return "exported \(NumberText.counted(count, "message")) to '\(SafeText.oneLine(target.path))'"
    } catch {
      file.discard()
      throw error
    }
  }
}
