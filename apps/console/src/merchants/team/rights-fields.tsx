import { Choices } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { environments, type Rights, type Role } from '#src/merchants/team/team.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface RightsFieldsProps {
  readonly rights: Rights;
  readonly change: (rights: Rights) => void;
  /** Which roles can be given here. */
  readonly roles: readonly Role[];
  readonly faults: Readonly<Record<string, string>>;
}

/** What a person may do, and where. Live rights are given in live mode. */
export function RightsFields({ rights, change, roles, faults }: RightsFieldsProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { team } = texts;
  const given = environments.filter((each) => environment === 'live' || each === 'test');
  return (
    <>
      <Choices
        label={team.roles}
        options={roles.map((value) => ({ value, label: team.role[value].name, about: team.role[value].about }))}
        values={rights.roles}
        onChange={(chosen) => change({ ...rights, roles: chosen })}
        fault={faults['roles']}
      />
      <Choices
        label={texts.environment.label}
        options={given.map((value) => ({ value, label: texts.environment[value] }))}
        values={rights.environments}
        onChange={(chosen) => change({ ...rights, environments: chosen })}
        fault={faults['environments']}
      />
    </>
  );
}
