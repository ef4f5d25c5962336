/// Scenarios that one process measures, so that they share no memory with others.
struct ScenarioGroup: Sendable {
  let name: String
  /// The sizes at which it is measured; a trial tries it at any.
  var sizes: ClosedRange<Int> = 1...Int.max
  let measure: @Sendable (Setting) async throws -> [Finding]

  /// All of them, in the order in which people ask.
  static let all = [
    ScenarioGroup(name: "store") { setting in
      var scenarios = try StoreScenarios(path: try setting.store(), setting: setting)
      return try scenarios.run()
    },
    ScenarioGroup(name: "store-1000", sizes: 100_000...Setting.textLimit) { setting in
      var scenarios = try StoreScenarios(
        path: try setting.store(conversations: 1_000), setting: setting)
      return try scenarios.run().map { $0.renamed("\($0.name), 1,000 conversations") }
    },
    ScenarioGroup(name: "timeline", sizes: 100_000...Setting.textLimit) { setting in
      var scenarios = try TimelineScenarios(setting: setting)
      return try scenarios.run()
    },
    ScenarioGroup(name: "conditions", sizes: 100_000...Setting.textLimit) {
      try ConditionScenarios(setting: $0).run()
    },
    ScenarioGroup(name: "people", sizes: 100_000...Setting.textLimit) {
      try SwitcherScenarios(setting: $0).run()
    },
    ScenarioGroup(name: "ranking", sizes: 100_000...Setting.textLimit) {
      try RankingScenarios(setting: $0).run()
    },
    ScenarioGroup(name: "windows") { setting in
      var scenarios = try WindowScenarios(path: try setting.store(), depth: setting.depth)
      return try await scenarios.run()
    },
    ScenarioGroup(name: "appends") { try AppendScenarios(setting: $0).run() },
    ScenarioGroup(name: "search") { try SearchScenarios(setting: $0).run() },
    ScenarioGroup(name: "commands") { try CommandScenarios(setting: $0).run() },
    ScenarioGroup(name: "care", sizes: 1...Setting.textLimit) { try CareScenarios(setting: $0).run() },
    ScenarioGroup(name: "terminal") { try TerminalScenarios(setting: $0).run() },
    ScenarioGroup(name: "latency") { try LatencyScenarios(setting: $0).run() },
    ScenarioGroup(name: "import") { try ImportScenarios(setting: $0).run() },
    ScenarioGroup(name: "assistants", sizes: 1...1_000_000) { try AssistantScenarios(setting: $0).run() },
    ScenarioGroup(name: "import-onto", sizes: 10_000_000...Setting.textLimit) {
      try ImportScenarios.runOnto($0)
    },
    // Three messages or more for each conversation, and not so many that they are all that is measured.
    ScenarioGroup(name: "growth", sizes: 300_000...1_000_000) { try GrowthScenarios(setting: $0).run() },
    ScenarioGroup(name: "follower") { try FollowerScenario(setting: $0).run() },
    ScenarioGroup(name: "growing-logs", sizes: 1...Setting.textLimit) {
      try GrowingLogsScenario(setting: $0).run()
    },
    ScenarioGroup(name: "server") { try ServerScenarios(setting: $0).pages() },
    ScenarioGroup(name: "server-changes", sizes: 1...Setting.textLimit) {
      try ServerScenarios(setting: $0).changes()
    },
  ]
}

extension Finding {
  /// Returns the finding under another name.
  func renamed(_ name: String) -> Finding {
    var finding = self
    finding.name = name
    return finding
  }
}
