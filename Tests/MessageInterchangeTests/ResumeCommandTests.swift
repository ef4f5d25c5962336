import MessageInterchange
import Testing

/// The commands by which programs go on with their sessions.
@Suite struct ResumeCommandTests {
  private static let uuid = "5b1c7a10-0000-4000-8000-00000000000a"

  private func command(_ platform: String, _ id: String) -> String? {
    ImportFormats.resumeCommand(ofPlatform: platform)?.command(forSession: id)?.joined(separator: " ")
  }

  @Test(arguments: [
    ("claude-code", uuid, "claude --resume \(uuid)"), ("codex", uuid, "codex resume \(uuid)"),
    ("gemini-cli", uuid, "gemini --resume \(uuid)"), ("copilot", uuid, "copilot --resume=\(uuid)"),
    ("pi", uuid, "pi --session \(uuid)"), ("crush", uuid, "crush --session \(uuid)"),
    ("opencode", "ses_4fAb9", "opencode --session ses_4fAb9"),
    ("kimi", "session_\(uuid)", "kimi --session session_\(uuid)"),
    ("amp", "T-\(uuid)", "amp threads continue T-\(uuid)"),
    ("llm", "01h53zma5txeby33t1kbe3xk8q", "llm chat --cid 01h53zma5txeby33t1kbe3xk8q"),
    ("qwen-code", uuid, "qwen --resume \(uuid)"),
    ("goose", "20260301_1", "goose session --resume --session-id 20260301_1"),
    ("droid", uuid, "droid --resume \(uuid)"),
    ("gptme", "2026-03-01-warm-cup", "gptme --name 2026-03-01-warm-cup"),
    ("openhands", uuid, "openhands --resume \(uuid)"),
    ("aider", "anything at all", "aider --restore-chat-history"),
  ])
  func `each program has its own`(platform: String, id: String, wanted: String) {
    #expect(command(platform, id) == wanted)
  }

  @Test(arguments: [
    "--dangerously-skip-permissions", "-c", "; rm -rf ~", "$(reboot)", "`id`", "a b", "", "../../etc",
    uuid + "\n",
    uuid + " --x", "5b1c7a10-0000-4000-8000-00000000000g", "5b1c7a1000004000800000000000000a", " " + uuid,
    "ID", "ses_", "ses_a;b",
    "T-", "T-$x", "ses_\u{1B}[2J", "ses_é-----", "５b1c7a10-0000-4000-8000-00000000000a",
    String(repeating: "a", count: 200),
  ])
  func `what is no id of theirs is put into no command`(id: String) {
    for platform in [
      "claude-code", "codex", "gemini-cli", "copilot", "pi", "crush", "opencode", "amp", "llm", "openhands",
      "gptme",
      "droid",
      "goose",
      "qwen-code", "kimi",
    ] {
      #expect(command(platform, id) == nil, "\(platform)")
    }
  }

  @Test(arguments: [
    "cursor", "cline", "copilot-chat", "chatgpt", "claude.ai", "open-webui", "lm-studio", "grok-build",
    "kiro", "vibe",
    "specstory",
    "librechat",
    "continue", "zed",
    "deepseek",
    "grok",
    "slack",
    "",
  ])
  func `others have none`(platform: String) {
    #expect(ImportFormats.resumeCommand(ofPlatform: platform) == nil)
  }
}
