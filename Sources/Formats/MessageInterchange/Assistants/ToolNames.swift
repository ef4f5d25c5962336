struct ToolNames {
  private var names: [String: String] = [:]
  private var former: [String: String] = [:]

  /// At least this many calls are remembered.
  private static let capacity = 1_024

  mutating func note(_ id: String?, _ name: String) {
    guard let id else { return }
    if names.count >= Self.capacity { (former, names) = (names, [:]) }
    names[id] = name
  }

  func name(of id: String?) -> String { id.flatMap { names[$0] ?? former[$0] } ?? "tool" }
}
