internal import ArgumentParser

/// The option of commands whose output may be longer than a screen: on a terminal a pager shows it.
struct PagerOption: ParsableArguments {
  @Flag(help: "Write directly to the terminal, without $PAGER (less -RFX).")
  var noPager = false

  /// Returns where the command writes: by way of the pager if that is wanted, and there is a terminal.
  func console(_ common: CommonOptions, in shell: Shell) -> Console {
    common.console(in: shell, to: noPager ? nil : shell.pager)
  }
}
