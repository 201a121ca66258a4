// The page of all parts of a team.
import { Page } from "./ui";

export function Parts() {
  return <Page title="Parts"><></></Page>;
}
