internal import ArgumentParser

struct PagerOption: ParsableArguments {
  @Flag(help: "Write directly to the terminal, without $PAGER (less -RFX).")
  var noPager = false

  func console(_ common: CommonOptions, in shell: Shell) -> Console {
    common.console(in: shell, to: noPager ? nil : shell.pager)
  }
}
