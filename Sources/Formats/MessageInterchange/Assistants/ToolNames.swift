/// The names of the tools that were called lately, by the ids of their calls: a result says only the id.
struct ToolNames {
  private var names: [String: String] = [:]
  private var former: [String: String] = [:]

  /// So many calls are remembered at least.
  private static let capacity = 1_024

  /// Remembers a call.
  mutating func note(_ id: String?, _ name: String) {
    guard let id else { return }
    if names.count >= Self.capacity { (former, names) = (names, [:]) }
    names[id] = name
  }

  /// Returns the name of the tool that was called; `tool` if that is long ago.
  func name(of id: String?) -> String { id.flatMap { names[$0] ?? former[$0] } ?? "tool" }
}
