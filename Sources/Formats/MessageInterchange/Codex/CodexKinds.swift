/// Codex's kinds of lines, items and events that do not become messages.
///
/// Unknown kinds are of later versions and kept as they are. The known ones are in
/// <https://github.com/openai/codex>, `codex-rs/protocol/src/protocol.rs` and `models.rs`.
enum CodexKinds {
  static let silentLines: Set<String> = [
    "world_state", "security_risk_score", "inter_agent_communication_metadata", "state",
  ]

  static let silentItems: Set<String> = [
    "ghost_snapshot", "compaction", "compaction_summary", "compaction_trigger", "context_compaction",
    "additional_tools", "other",
  ]

  /// Events for the screen, which repeat items or report progress.
  static func isSilentEvent(_ type: String) -> Bool {
    events.contains(type) || endings.contains { type.hasSuffix($0) }
  }

  private static let events: Set<String> = [
    "user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content",
    "agent_reasoning_section_break", "token_count", "task_started", "task_complete", "turn_started",
    "turn_complete", "turn_diff", "context_compacted", "entered_review_mode", "exited_review_mode",
    "item_started", "item_completed", "background_event", "session_configured", "shutdown_complete",
    "deprecation_notice", "view_image_tool_call", "thread_name_updated", "thread_settings_applied",
    "raw_response_item", "model_reroute", "conversation_path", "review_completed", "undo_started",
    "undo_completed", "world_state",
  ]
  private static let endings = [
    "_begin", "_end", "_delta", "_request", "_response", "_update", "_updated", "_progress", "_interaction",
  ]
}
